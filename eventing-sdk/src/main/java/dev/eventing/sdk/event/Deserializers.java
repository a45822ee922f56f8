package dev.eventing.sdk.event;

import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * The deserializers that Jackson has built. Internal: the SDK looks at classes by them.
 */
public final class Deserializers {

	private Deserializers() {
	}

	/**
	 * Asks for something that only the context of a deserializer knows.
	 * @param mapper is copied, and does not change
	 * @throws RuntimeException what Jackson throws for a class that it cannot bind
	 */
	@SuppressWarnings("unchecked")
	public static <A> @Nullable A ask(JsonMapper mapper, Function<DeserializationContext, @Nullable A> question) {
		return (A) mapper.rebuild()
			.addModule(new SimpleModule().addDeserializer(Answer.class, new Asking(question)))
			.build()
			.readerFor(Answer.class)
			.<Answer>readValue("0")
			.value();
	}

	/** Stands for the answer, so that a reader can be made for it. */
	record Answer(@Nullable Object value) {
	}

	private static final class Asking extends StdDeserializer<Answer> {

		private final Function<DeserializationContext, ? extends @Nullable Object> question;

		Asking(Function<DeserializationContext, ? extends @Nullable Object> question) {
			super(Answer.class);
			this.question = question;
		}

		@Override
		public Answer deserialize(JsonParser parser, DeserializationContext context) {
			return new Answer(this.question.apply(context));
		}

	}

}
