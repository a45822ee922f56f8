package dev.eventing.sdk.event;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;

import tools.jackson.databind.ext.javatime.deser.InstantDeserializer;
import tools.jackson.databind.ext.javatime.deser.LocalDateDeserializer;
import tools.jackson.databind.ext.javatime.deser.LocalDateTimeDeserializer;
import tools.jackson.databind.ext.javatime.deser.LocalTimeDeserializer;
import tools.jackson.databind.module.SimpleModule;

/** What the settings of a mapper cannot express. */
final class EventJsonModule extends SimpleModule {

	private static final long serialVersionUID = 1L;

	EventJsonModule() {
		super("dev.eventing.sdk.event");
		addDeserializer(OffsetDateTime.class,
				new ZonedTextDeserializer<>(OffsetDateTime.class, InstantDeserializer.OFFSET_DATE_TIME));
		addDeserializer(LocalDate.class, new LocalTextDeserializer<>(LocalDate.class, LocalDateDeserializer.INSTANCE,
				LocalTextDeserializer.DATE_AND_TIME));
		addDeserializer(LocalDateTime.class, new LocalTextDeserializer<>(LocalDateTime.class,
				LocalDateTimeDeserializer.INSTANCE, LocalTextDeserializer.ZONE));
		addDeserializer(LocalTime.class, new LocalTextDeserializer<>(LocalTime.class, LocalTimeDeserializer.INSTANCE,
				LocalTextDeserializer.DATE_AND_TIME));
		addDeserializer(Instant.class, new ZonedTextDeserializer<>(Instant.class, InstantDeserializer.INSTANT));
	}

	@Override
	public void setupModule(SetupContext context) {
		super.setupModule(context);
		context.addValueInstantiators(new AbsentPrimitives());
		context.addKeySerializers(new TextKeys());
	}

}
