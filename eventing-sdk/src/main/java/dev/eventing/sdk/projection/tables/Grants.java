package dev.eventing.sdk.projection.tables;

/** What queries that write grants have in common. */
final class Grants {

	private Grants() {
	}

	/** A query whose %ROLE% is the grantee of an entry of a list of rights. */
	static String of(String query) {
		return query
			.replace("%ROLE%", "case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end")
			.replace("%OPTION%", "case when is_grantable then ' with grant option' end");
	}

}
