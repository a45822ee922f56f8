package dev.eventing.sdk.guarantees;

import java.util.Map;
import java.util.TreeMap;

import dev.eventing.sdk.liveview.LiveView;

import org.springframework.stereotype.Component;

/** The live view of the guide. */
@Component
@LiveView(value = "warehouse", subject = "stock.{tenant}.>")
class WarehouseView {

	record Warehouse(Map<String, Long> totals) {
	}

	Warehouse initial() {
		return new Warehouse(Map.of());
	}

	String key(StockAdjusted event) {
		return event.warehouse(); // null: of no interest
	}

	Warehouse apply(Warehouse state, StockAdjusted event) {
		Map<String, Long> totals = new TreeMap<>(state.totals());
		totals.merge(event.sku(), event.delta(), Long::sum);
		return new Warehouse(totals);
	}

}
