package dev.eventing.sdk.event;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.ReadResult.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The tenant that each place of an event names: subject, headers, body. At least one
 * place must name a tenant, and all must name the same one. Otherwise a publisher with
 * access to one tenant could write into the read model of another.
 */
final class TenantClaims {

	private final List<Claim> claims = new ArrayList<>(3);

	/** Adds the tenant that a place names, valid or not. */
	void add(String place, String value) {
		this.claims.add(new Claim(place, value));
	}

	/** Adds the tenant of a place that error texts name before all others. */
	void addFirst(String place, String value) {
		this.claims.add(0, new Claim(place, value));
	}

	/** The tenant that all places agree on; null if there is an {@link #error}. */
	@Nullable TenantId agreed() {
		if (this.claims.isEmpty() || !agree()) {
			return null;
		}
		String tenant = this.claims.get(0).value();
		return TenantId.isValid(tenant) ? TenantId.of(tenant) : null;
	}

	/** Why there is no agreement, or null. */
	@Nullable ReadError error() {
		if (this.claims.isEmpty()) {
			return new ReadError(Reason.NO_TENANT,
					"Neither the subject nor the headers nor the body name a tenant. Consider the header '"
							+ Attribute.TENANT_HEADER + "', or '" + SubjectTemplate.TENANT
							+ "' in the subject of the handler.");
		}
		for (Claim claim : this.claims) {
			if (!TenantId.isValid(claim.value())) {
				return new ReadError(Reason.INVALID_TENANT,
						"According to " + claim.place() + " the tenant is " + Quoted.of(claim.value())
								+ ". Consider 1 to " + TenantId.MAX_LENGTH + " letters, digits, '_' or '-'.");
			}
		}
		if (!agree()) {
			return new ReadError(Reason.TENANT_MISMATCH,
					"The tenant is not certain: "
							+ this.claims.stream()
								.map((claim) -> Quoted.of(claim.value()) + " according to " + claim.place())
								.collect(Collectors.joining(", "))
							+ ". Consider publishing each event to the subject of its own tenant.");
		}
		return null;
	}

	private boolean agree() {
		String first = this.claims.get(0).value();
		for (Claim claim : this.claims) {
			if (!claim.value().equals(first)) {
				return false;
			}
		}
		return true;
	}

	private record Claim(String place, String value) {

	}

}
