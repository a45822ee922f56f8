package dev.eventing.sdk.event;

import java.util.Base64;
import java.util.Locale;

import dev.eventing.sdk.event.ReadResult.Reason;
import org.jspecify.annotations.Nullable;

/** CloudEvents structured mode: one JSON object holds the attributes and the data. */
final class StructuredForm implements WireForm {

	private static final String MEDIA_TYPE = "application/cloudevents";

	private static final byte[] NOTHING = {};

	/** Whether the headers announce a CloudEvent in the body. */
	static boolean isIn(EventHeaders headers) {
		String mediaType = mediaType(headers);
		return mediaType != null && mediaType.startsWith(MEDIA_TYPE);
	}

	private static @Nullable String mediaType(EventHeaders headers) {
		String contentType = headers.first("Content-Type");
		return (contentType != null) ? contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT) : null;
	}

	@Override
	public byte[] read(RawEvent raw, Attributes attributes) {
		String mediaType = mediaType(raw.headers());
		if (mediaType != null && !mediaType.equals(MEDIA_TYPE + "+json") && !mediaType.equals(MEDIA_TYPE)) {
			attributes.error(Reason.UNSUPPORTED, "The Content-Type " + Quoted.of(mediaType) + " is not read. Consider '"
					+ MEDIA_TYPE + "+json' with one event per message.");
			return NOTHING;
		}
		JsonBody body = JsonBody.parse(raw.payload(), attributes);
		if (body == null) {
			return NOTHING;
		}
		for (Attribute attribute : Attribute.values()) {
			body.take(attribute, attribute.ceName());
		}
		body.claimTenant(Attribute.TENANT);
		// The distributed tracing extension: the SDK looks for a trace in the headers.
		attributes.putHeader("traceparent", body.string("traceparent"));
		attributes.putHeader("tracestate", body.string("tracestate"));
		return data(body, attributes);
	}

	private static byte[] data(JsonBody body, Attributes attributes) {
		if (!body.has("data_base64")) {
			return body.bytes("data");
		}
		String encoded = body.string("data_base64");
		if (encoded == null || body.has("data")) {
			attributes.error(Reason.INVALID_HEADER,
					"'data_base64' is no string, or stands beside 'data'. Consider exactly one of the two.");
			return NOTHING;
		}
		try {
			return Base64.getDecoder().decode(encoded);
		}
		catch (IllegalArgumentException ex) {
			attributes.error(Reason.INVALID_HEADER, "'data_base64' is not Base64. Consider RFC 4648 with padding.");
			return NOTHING;
		}
	}

}
