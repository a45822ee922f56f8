package dev.eventing.sdk.projector.container;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import dev.eventing.sdk.projection.tables.OwnedRows.Ownership;
import dev.eventing.sdk.projector.RowColumns;

/** Which rows of a read model belong to a stream, as the columns of its tables say. */
final class RowOwnership {

	private RowOwnership() {
	}

	/** Of the tables whose rows have both a tenant and a stream, by their names. */
	static List<Ownership> of(Map<String, RowColumns> columns) {
		List<Ownership> ownership = new ArrayList<>();
		new TreeMap<>(columns).forEach((table, own) -> {
			String tenant = own.tenant();
			String stream = own.stream();
			if (tenant != null && stream != null) {
				ownership.add(new Ownership(table, inCatalog(tenant), inCatalog(stream), own.streamPrefix()));
			}
		});
		return List.copyOf(ownership);
	}

	/** As the catalog has a name that is written without quotes. */
	private static String inCatalog(String column) {
		return column.toLowerCase(Locale.ROOT);
	}

}
