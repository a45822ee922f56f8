package dev.eventing.sdk.event;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.ReadResult.Reason;
import org.jspecify.annotations.Nullable;

/**
 * What each place of an event says about its tenant. Only what all of them say, and there
 * is at least one, is the tenant: otherwise whoever may publish under one tenant could
 * write into the read model of another.
 */
final class TenantClaims {

	private final List<Claim> claims = new ArrayList<>(3);

	/** Adds what a place says, be it a valid tenant or not. */
	void add(String place, String value) {
		this.claims.add(new Claim(place, value));
	}

	/** Adds what a place says that is to be named before all others. */
	void addFirst(String place, String value) {
		this.claims.add(0, new Claim(place, value));
	}

	/** The tenant that all agree on; null if there is a {@link #flaw}. */
	@Nullable TenantId agreed() {
		return (flaw() == null) ? TenantId.of(this.claims.get(0).value()) : null;
	}

	/** Why there is no agreement, or null. */
	@Nullable ReadError flaw() {
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
