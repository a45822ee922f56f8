package dev.eventing.sdk.event;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;

/**
 * Warns of payloads that have a property which their class lacks, and lack one which the
 * class has. Mostly that is one property under two names, after a rename or by another
 * naming strategy. Each for itself is ignored, so the value would be lost without a word.
 * Costs nothing while payloads have no unknown property. Thread-safe.
 */
final class LostProperties extends DeserializationProblemHandler {

	private static final Logger logger = LoggerFactory.getLogger(LostProperties.class);

	/** Some publishers make names of data. */
	private static final int MOST_NAMES = 100;

	private static final int MOST_WARNINGS = 5;

	/**
	 * It looks at this many payloads with unknown properties, and then at one of this
	 * many: the first ones may have both names, and later ones only that of the
	 * publisher.
	 */
	private static final int EACH = 100;

	private final JsonMapper mapper;

	private final Class<?> type;

	private final Set<String> unknown = ConcurrentHashMap.newKeySet();

	private final AtomicLong met = new AtomicLong();

	private final AtomicLong payloads = new AtomicLong();

	private final Set<String> told = ConcurrentHashMap.newKeySet();

	LostProperties(JsonMapper mapper, Class<?> type) {
		this.mapper = mapper;
		this.type = type;
	}

	/** Lets the mapper do what it does with such a property. */
	@Override
	public boolean handleUnknownProperty(DeserializationContext context, JsonParser parser,
			ValueDeserializer<?> deserializer, Object beanOrClass, String name) {
		if (deserializer.handledType() == this.type) {
			this.met.incrementAndGet();
			if (this.unknown.size() < MOST_NAMES) {
				this.unknown.add(name);
			}
		}
		return false;
	}

	/** How many unknown properties were met up to now. */
	long count() {
		return this.met.get();
	}

	/** Looks at a payload that was bound while the count grew. */
	void look(byte[] json) {
		long payload = this.payloads.incrementAndGet();
		if (this.told.size() >= MOST_WARNINGS || (payload > EACH && payload % EACH != 0)) {
			return;
		}
		Set<String> has = names(json);
		List<BeanPropertyDefinition> properties = properties();
		Set<String> foreign = new TreeSet<>(has);
		Set<String> lost = new TreeSet<>();
		for (BeanPropertyDefinition property : properties) {
			List<String> names = namesOf(property);
			names.forEach(foreign::remove);
			if (names.stream().noneMatch(has::contains) && !property.getPrimaryType().isReferenceType()) {
				lost.add(property.getName());
			}
		}
		foreign.retainAll(this.unknown); // others are ignored on purpose
		if (!foreign.isEmpty()) {
			lost.removeIf((name) -> this.told.size() >= MOST_WARNINGS || !this.told.add(name));
			lost.forEach((name) -> warn(foreign.size(), name));
		}
	}

	/** The unknown names may be data, so they are only counted. */
	private void warn(int foreign, String lost) {
		logger.warn(
				"A payload has {} that {} lacks, and lacks {}, which is null, 0 or false then. Consider one name on"
						+ " both sides, by @JsonProperty or @JsonAlias on the class, or a naming strategy in a bean"
						+ " EventJsonMapper; or @JsonIgnoreProperties(ignoreUnknown = true) if that is meant.",
				(foreign == 1) ? "1 property" : foreign + " properties", this.type.getTypeName(), Quoted.of(lost));
	}

	private Set<String> names(byte[] json) {
		Set<String> names = new TreeSet<>();
		try (JsonParser parser = this.mapper.createParser(json)) {
			parser.nextToken();
			while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
				names.add(parser.currentName());
				parser.nextToken();
				parser.skipChildren();
			}
		}
		return names;
	}

	private List<BeanPropertyDefinition> properties() {
		JavaType bound = this.mapper.constructType(this.type);
		DeserializationConfig config = this.mapper.deserializationConfig();
		ClassIntrospector introspector = config.classIntrospectorInstance().forOperation(config);
		return introspector.introspectForDeserialization(bound, introspector.introspectClassAnnotations(bound))
			.findProperties()
			.stream()
			.filter(BeanPropertyDefinition::couldDeserialize)
			.toList();
	}

	private static List<String> namesOf(BeanPropertyDefinition property) {
		return Stream
			.concat(Stream.of(property.getName()), property.findAliases().stream().map(PropertyName::getSimpleName))
			.toList();
	}

}
