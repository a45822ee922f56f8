package dev.eventing.sdk.event;

/**
 * A JSON envelope with eventId, eventType, eventVersion, timestamp, tenantId, payload and
 * metadata, for publishers that set no headers. Or a CloudEvent in structured mode whose
 * publisher sets no content type, as Dapr and the first binding for NATS do.
 */
final class EnvelopeForm implements WireForm {

	private static final String ID = "eventId";

	private static final byte[] NOTHING = {};

	@Override
	public byte[] read(RawEvent raw, Attributes attributes) {
		JsonBody body = JsonBody.parse(raw.payload(), attributes);
		if (body == null) {
			return NOTHING;
		}
		if (body.has(Attribute.SPEC_VERSION.ceName()) && !body.has(ID)) {
			return StructuredForm.readFrom(body, attributes);
		}
		body.take(Attribute.ID, ID);
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
