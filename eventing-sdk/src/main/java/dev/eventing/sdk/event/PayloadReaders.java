package dev.eventing.sdk.event;

import java.lang.ref.WeakReference;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Jackson's readers of one mapper, by the type they bind to. To create one for each event
 * would take a fifth of the time to bind a small payload. Thread-safe.
 */
final class PayloadReaders {

	/**
	 * More types than handlers name: an application could also create a type per call.
	 */
	static final int MAX_TYPES = 256;

	/** A {@code JsonNode} keeps every digit, as PostgreSQL and the wire do. */
	private static final JsonNodeFeature DIGITS = JsonNodeFeature.USE_BIG_DECIMAL_FOR_FLOATS;

	/**
	 * The readers that were asked for last. An application has one mapper, as a rule. The
	 * reference is weak, so that it keeps neither the mapper nor the classes of an
	 * application that has ended.
	 */
	private static volatile @Nullable WeakReference<PayloadReaders> latest;

	private final JsonMapper mapper;

	private final EventVersions versions;

	private final Map<Type, Reader> byType = new ConcurrentHashMap<>();

	/** The ids of classes whose payloads did not fit with them. */
	private final Map<Class<?>, TypeIds> ids = new ConcurrentHashMap<>();

	private PayloadReaders(JsonMapper mapper, EventVersions versions) {
		this.mapper = mapper;
		this.versions = versions;
	}

	/** As {@link #of(JsonMapper, EventVersions)}, without upcasters. */
	static PayloadReaders of(JsonMapper mapper) {
		return of(mapper, EventVersions.NONE);
	}

	/**
	 * The readers of this mapper with these upcasters, which may be shared with other
	 * callers.
	 */
	static PayloadReaders of(JsonMapper mapper, EventVersions versions) {
		WeakReference<PayloadReaders> reference = latest;
		PayloadReaders known = (reference != null) ? reference.get() : null;
		if (known != null && known.mapper == mapper && known.versions == versions) {
			return known;
		}
		PayloadReaders created = new PayloadReaders(mapper, versions);
		latest = new WeakReference<>(created);
		return created;
	}

	JsonMapper mapper() {
		return this.mapper;
	}

	/** How old payloads are read. */
	EventVersions versions() {
		return this.versions;
	}

	/**
	 * Binds a JSON text to a class or a generic type. A class needs no {@link TypeIds id}
	 * of its own in the text.
	 * @return null if the text is empty or JSON null
	 * @throws RuntimeException if the text is not JSON or does not fit the type, or if
	 * Jackson does not know this kind of type
	 */
	@Nullable Object read(byte[] json, Type type) {
		try {
			Reader reader = readerOf(type);
			LostProperties lost = reader.lost();
			long before = (lost != null) ? lost.count() : 0;
			Object payload = read(json, reader.jackson());
			if (lost != null && lost.count() > before) {
				lost.look(json);
			}
			return payload;
		}
		catch (MismatchedInputException ex) {
			TypeIds ids = (type instanceof Class<?> plain) ? ids(plain) : null;
			ObjectReader other = (ids != null) ? ids.withoutId(json, ex, this.mapper) : null;
			if (other == null) {
				throw ex;
			}
			TypeIds.Root read = (TypeIds.Root) read(json, other.with(DIGITS));
			return (read != null) ? read.payload() : null;
		}
	}

	private @Nullable Object read(byte[] json, ObjectReader reader) {
		try (JsonParser parser = this.mapper.createParser(json)) {
			JsonToken first = parser.nextToken();
			return (first == null || first == JsonToken.VALUE_NULL) ? null : reader.readValue(parser);
		}
	}

	private @Nullable TypeIds ids(Class<?> type) {
		TypeIds known = this.ids.get(type);
		TypeIds found = (known != null) ? known : TypeIds.of(type, this.mapper);
		if (known == null && found != null && this.ids.size() < MAX_TYPES) {
			this.ids.put(type, found);
		}
		return found;
	}

	/**
	 * The reader that binds to a class or a generic type.
	 * @throws RuntimeException if Jackson does not know this kind of type
	 */
	ObjectReader to(Type type) {
		return readerOf(type).jackson();
	}

	private Reader readerOf(Type type) {
		Reader known = this.byType.get(type);
		if (known != null) {
			return known;
		}
		Reader created = create(type);
		if (this.byType.size() < MAX_TYPES) {
			this.byType.put(type, created);
		}
		return created;
	}

	private Reader create(Type type) {
		ObjectReader jackson = this.mapper.readerFor(this.mapper.constructType(type)).with(DIGITS);
		if (!(type instanceof Class<?> plain)) {
			return new Reader(jackson, null);
		}
		LostProperties lost = new LostProperties(this.mapper, plain);
		return new Reader(jackson.withHandler(lost), lost);
	}

	/** A reader, and what notices that payloads and their class differ in their names. */
	private record Reader(ObjectReader jackson, @Nullable LostProperties lost) {
	}

}
