package dev.eventing.sdk.event;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** CloudEvents binary mode: the headers hold the attributes, the body is the payload. */
final class BinaryForm implements WireForm {

	@Override
	public byte[] read(RawEvent raw, Attributes attributes) {
		EventHeaders headers = raw.headers();
		Map<Attribute, String> values = new EnumMap<>(Attribute.class);
		boolean ambiguous = false;
		for (int i = 0; i < headers.count(); i++) {
			Attribute attribute = Attribute.ofHeader(headers.name(i));
			if (attribute != null) {
				String other = values.put(attribute, headers.value(i));
				ambiguous |= other != null && !other.equals(headers.value(i));
			}
		}
		for (Map.Entry<Attribute, String> each : values.entrySet()) {
			if (!(ambiguous && isAmbiguous(each.getKey(), headers, attributes))) {
				readHeader(each.getKey(), each.getValue(), attributes);
			}
		}
		return raw.payload();
	}

	/** Whether the attribute has several values. Records them as an error. */
	private static boolean isAmbiguous(Attribute attribute, EventHeaders headers, Attributes attributes) {
		List<String> values = new ArrayList<>();
		headers.forEach((name, value) -> {
			if (Attribute.ofHeader(name) == attribute) {
				values.add(value);
			}
		});
		if (values.stream().distinct().count() == 1) {
			return false;
		}
		String all = String.join(", ", values);
		attributes.malformed(attribute, all, "The " + attribute.headerPlace() + " " + Quoted.of(all)
				+ " has more than one value. Consider a single one.");
		return true;
	}

	private static void readHeader(Attribute attribute, String value, Attributes attributes) {
		String place = attribute.headerPlace();
		String decoded = PercentCoding.decode(value.strip());
		if (decoded != null || attribute.mayBeAnyText()) {
			attributes.put(attribute, place, (decoded != null) ? decoded : value.strip());
		}
		else {
			attributes.malformed(attribute, value, "The " + place + " " + Quoted.of(value)
					+ " is not percent-encoded UTF-8. Consider writing a plain percent sign as '%25'.");
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
