package dev.eventing.sdk.event;

import java.util.Base64;
import java.util.Locale;

import dev.eventing.sdk.event.ReadResult.Reason;

/** CloudEvents structured mode: one JSON object holds the attributes and the data. */
final class StructuredForm implements WireForm {

	private static final String CONTENT_TYPE = "Content-Type";

	private static final String MEDIA_TYPE = "application/cloudevents";

	private static final byte[] NOTHING = {};

	/** Whether the headers announce a CloudEvent in the body. */
	static boolean isIn(EventHeaders headers) {
		String contentType = headers.first(CONTENT_TYPE);
		// The first check is cheap, and most events are in another form.
		return contentType != null && contentType.strip().regionMatches(true, 0, MEDIA_TYPE, 0, MEDIA_TYPE.length())
				&& mediaType(contentType).startsWith(MEDIA_TYPE);
	}

	private static String mediaType(String contentType) {
		return contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
	}

	@Override
	public byte[] read(RawEvent raw, Attributes attributes) {
		String contentType = raw.headers().first(CONTENT_TYPE);
		String mediaType = (contentType != null) ? mediaType(contentType) : MEDIA_TYPE;
		if (!mediaType.equals(MEDIA_TYPE + "+json") && !mediaType.equals(MEDIA_TYPE)) {
			attributes.error(Reason.UNSUPPORTED, "The Content-Type " + Quoted.of(mediaType) + " is not read. Consider '"
					+ MEDIA_TYPE + "+json' with one event per message.");
			return NOTHING;
		}
		JsonBody body = JsonBody.parse(raw.payload(), attributes);
		return (body != null) ? readFrom(body, attributes) : NOTHING;
	}

	/** Reads an event whose attributes and data are in this object. */
	static byte[] readFrom(JsonBody body, Attributes attributes) {
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
