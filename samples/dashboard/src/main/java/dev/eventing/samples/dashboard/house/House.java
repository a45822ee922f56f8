package dev.eventing.samples.dashboard.house;

import java.security.Principal;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * A tenant of the sample. Two of what can be reserved have the same key in both houses,
 * so that only the tenant keeps them apart.
 *
 * @param tenant the tenant
 * @param title the house's name for people
 * @param user who works there, and sees this house alone
 * @param resources what can be reserved there
 */
public record House(TenantId tenant, String title, String user, List<Resource> resources) {

	/** The house of Ada. */
	public static final House HARBOUR = new House(TenantId.of("harbour"), "Harbour House", "ada",
			List.of(new Resource("rooms", "Quayside rooms", 240), new Resource("tables", "Oyster bar tables", 64),
					new Resource("boats", "Sailing boats", 36), new Resource("bicycles", "Pier bicycles", 120)));

	/** The house of Bob. */
	public static final House SUMMIT = new House(TenantId.of("summit"), "Summit Lodge", "bob",
			List.of(new Resource("rooms", "Alpine suites", 160), new Resource("tables", "Fondue parlour seats", 90),
					new Resource("skis", "Touring skis", 300), new Resource("guides", "Mountain guides", 24)));

	/** All of them. */
	public static final List<House> ALL = List.of(HARBOUR, SUMMIT);

	public House {
		resources = List.copyOf(resources);
	}

	/**
	 * The house in which somebody works.
	 * @return empty without a user, and for users who work in none
	 */
	public static Optional<House> of(@Nullable Principal user) {
		return ALL.stream().filter((house) -> user != null && house.user().equals(user.getName())).findFirst();
	}

	/** The keys of what can be reserved. */
	public List<String> keys() {
		return this.resources.stream().map(Resource::key).toList();
	}

}
