package dev.eventing.sdk.event;

/**
 * A JSON envelope with eventId, eventType, eventVersion, timestamp, tenantId, payload and
 * metadata, for publishers that set no headers.
 */
final class EnvelopeForm implements WireForm {

	private static final byte[] NOTHING = {};

	@Override
	public byte[] read(RawEvent raw, Attributes attributes) {
		JsonBody body = JsonBody.parse(raw.payload(), attributes);
		if (body == null) {
			return NOTHING;
		}
		body.take(Attribute.ID, "eventId");
		body.take(Attribute.TYPE, "eventType");
		body.take(Attribute.TYPE_VERSION, "eventVersion");
		body.take(Attribute.TIME, "timestamp");
		body.claimTenant("tenantId");
		JsonBody metadata = body.object("metadata");
		metadata.take(Attribute.STREAM_ID, "streamId", "aggregateId");
		metadata.take(Attribute.STREAM_VERSION, "streamVersion", "sequence");
		metadata.take(Attribute.KEY, "partitionKey", "key");
		metadata.take(Attribute.CORRELATION_ID, "correlationId");
		metadata.take(Attribute.CAUSATION_ID, "causationId");
		return body.bytes("payload");
	}

}
