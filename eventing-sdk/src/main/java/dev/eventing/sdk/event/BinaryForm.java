package dev.eventing.sdk.event;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** CloudEvents binary mode: the headers hold the attributes, the body is the payload. */
final class BinaryForm implements WireForm {

	/** Whether the headers show that the event is in this form. */
	static boolean isIn(EventHeaders headers) {
		return headers.first(Attribute.ID.header()) != null || headers.first(Attribute.SPEC_VERSION.header()) != null;
	}

	@Override
	public byte[] read(RawEvent raw, Attributes attributes) {
		Map<Attribute, List<String>> values = new EnumMap<>(Attribute.class);
		raw.headers().forEach((name, value) -> {
			Attribute attribute = Attribute.ofHeader(name);
			if (attribute != null) {
				values.computeIfAbsent(attribute, (each) -> new ArrayList<>(1)).add(value);
			}
		});
		values.forEach((attribute, all) -> readHeader(attribute, all, attributes));
		return raw.payload();
	}

	private static void readHeader(Attribute attribute, List<String> values, Attributes attributes) {
		String place = attribute.headerPlace();
		if (values.size() > 1 && values.stream().distinct().count() > 1) {
			attributes.invalid(place, String.join(", ", values), "has more than one value. Consider a single one.");
			return;
		}
		for (String value : values) {
			String decoded = PercentCoding.decode(value.strip());
			if (decoded == null) {
				attributes.invalid(place, value,
						"is not percent-encoded UTF-8. Consider writing a plain percent sign as '%25'.");
				return;
			}
			attributes.put(attribute, place, decoded);
		}
	}

	/**
	 * Claims the tenant in the header, which counts in every form. A value that cannot be
	 * decoded is claimed undecoded: its percent sign makes it an invalid tenant.
	 */
	static void claimTenants(EventHeaders headers, TenantClaims tenants) {
		for (String value : headers.all(Attribute.TENANT_HEADER)) {
			String decoded = PercentCoding.decode(value.strip());
			tenants.add(Attribute.TENANT_HEADER_PLACE, (decoded != null) ? decoded : value);
		}
	}

}
