package dev.eventing.samples.orders.demo;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.eventing.samples.orders.demo.Outcome.Commands;
import dev.eventing.samples.orders.order.OrderGenerator;
import dev.eventing.samples.orders.projection.ItemSales;
import dev.eventing.samples.orders.projection.OrderSummary;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.LetterCause;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projection.ReconciliationResult;
import dev.eventing.sdk.projection.ReconciliationResult.Answer;

/** Prints the result of a run. */
final class Report {

	private static final int TOP = 3;

	private final Outcome outcome;

	private final List<String> lines = new ArrayList<>();

	private Report(Outcome outcome) {
		this.outcome = outcome;
	}

	/** The lines of the report. */
	static List<String> of(Outcome outcome) {
		Report report = new Report(outcome);
		report.orderSummaries();
		report.itemSales();
		report.totals();
		report.counts();
		report.deadLetters();
		report.verdict();
		return report.lines;
	}

	private void orderSummaries() {
		TextTable table = TextTable.of("tenant", "order", "customer", "status", "items", "total", "currency",
				"updated");
		perTenant(this.outcome.orderSummaries(), OrderSummary::tenantId,
				Comparator.comparing(OrderSummary::totalAmount).reversed())
			.forEach((row) -> table.row(row.tenantId(), row.orderId(), row.customerId(), row.status(), row.itemCount(),
					number(row.totalAmount()), row.currency(), row.updatedAt()));
		section(String.format(Locale.ROOT, "order_summary: the largest orders of each tenant, of %,d rows",
				this.outcome.orderSummaries().size()), table);
	}

	private void itemSales() {
		TextTable table = TextTable.of("tenant", "day", "sku", "currency", "sold", "gross");
		perTenant(this.outcome.itemSales(), ItemSales::tenantId,
				Comparator.comparing(ItemSales::grossAmount).reversed())
			.forEach((row) -> table.row(row.tenantId(), row.day(), row.sku(), row.currency(), number(row.quantity()),
					number(row.grossAmount())));
		section(String.format(Locale.ROOT, "order_item_sales_daily: the best sales of each tenant, of %,d rows",
				this.outcome.itemSales().size()), table);
	}

	private static <R extends Record> Stream<R> perTenant(List<R> rows, Function<R, String> tenant,
			Comparator<R> order) {
		return rows.stream()
			.sorted(order)
			.collect(Collectors.groupingBy(tenant, TreeMap::new, Collectors.toList()))
			.values()
			.stream()
			.flatMap((all) -> all.stream().limit(TOP));
	}

	private void totals() {
		TextTable table = TextTable.of("tenant", "orders", "shipped", "cancelled", "units sold", "EUR", "GBP", "USD");
		for (TenantId tenant : OrderGenerator.TENANTS) {
			List<OrderSummary> orders = of(this.outcome.orderSummaries(), OrderSummary::tenantId, tenant);
			List<ItemSales> sales = of(this.outcome.itemSales(), ItemSales::tenantId, tenant);
			table.row(tenant, number(orders.size()), number(withStatus(orders, "SHIPPED")),
					number(withStatus(orders, "CANCELLED")),
					number(sales.stream().mapToLong(ItemSales::quantity).sum()), number(gross(sales, "EUR")),
					number(gross(sales, "GBP")), number(gross(sales, "USD")));
		}
		section("totals per tenant", table);
	}

	private static <R> List<R> of(List<R> rows, Function<R, String> tenant, TenantId wanted) {
		return rows.stream().filter((row) -> tenant.apply(row).equals(wanted.value())).toList();
	}

	private static long withStatus(List<OrderSummary> orders, String status) {
		return orders.stream().filter((order) -> order.status().equals(status)).count();
	}

	private static BigDecimal gross(List<ItemSales> sales, String currency) {
		return sales.stream()
			.filter((row) -> row.currency().equals(currency))
			.map(ItemSales::grossAmount)
			.reduce(new BigDecimal("0.00"), BigDecimal::add);
	}

	private void counts() {
		Commands commands = this.outcome.commands();
		this.lines.add(String.format(Locale.ROOT,
				"%,d commands in %s gave %,d events; %,d were refused by the rules of their order, %,d decided again",
				commands.given(), seconds(this.outcome.times().writing()), this.outcome.events(), commands.refused(),
				commands.conflicts()));
		List<Work> work = this.outcome.work();
		TextTable table = TextTable.of("", work.get(0).status().projector(), work.get(1).status().projector());
		count(table, "events for it", Work::events);
		count(table, "published once more", Work::copies);
		count(table, "processed", (each) -> each.counts().processed());
		count(table, "duplicates skipped", (each) -> each.counts().duplicates());
		count(table, "failed attempts", (each) -> each.counts().failedAttempts());
		count(table, "dead letters", (each) -> each.counts().deadLetters());
		count(table, "parked behind them", (each) -> each.counts().parked());
		count(table, "transactions", (each) -> each.counts().transactions());
		section(String.format(Locale.ROOT, "both read models showed all of it after %s",
				seconds(this.outcome.times().readable())), table);
	}

	private void count(TextTable table, String what, ToLongFunction<Work> value) {
		List<Work> work = this.outcome.work();
		table.row(what, number(value.applyAsLong(work.get(0))), number(value.applyAsLong(work.get(1))));
	}

	private void deadLetters() {
		List<DeadLetter> dead = this.outcome.deadLetters()
			.stream()
			.filter((letter) -> !letter.reason().equals(LetterCause.BEHIND))
			.toList();
		this.lines.add("dead letters: " + dead.size() + ", and parked behind them later events of their orders: "
				+ (this.outcome.deadLetters().size() - dead.size()));
		for (DeadLetter letter : dead) {
			TextTable table = TextTable.of("projector", letter.projector())
				.row("tenant", String.valueOf(letter.tenantId()))
				.row("event", letter.eventId())
				.row("type", String.valueOf(letter.eventType()) + " of " + letter.orderingKey())
				.row("reason", letter.reason())
				.row("attempts", letter.attempts() + " ")
				.row("error", error(letter));
			this.lines.addAll(table.lines());
		}
		this.lines.add("");
	}

	/** The database's message, without the statement. */
	private static String error(DeadLetter letter) {
		Failure failure = letter.failure();
		if (failure == null || failure.message() == null) {
			return "none";
		}
		String message = failure.message().lines().filter((line) -> line.contains("ERROR:")).findFirst().orElse("");
		String type = failure.errorClass().substring(failure.errorClass().lastIndexOf('.') + 1);
		return type + ": " + message.substring(Math.max(0, message.indexOf("ERROR:")));
	}

	private void verdict() {
		List<ReconciliationResult> meanwhile = this.outcome.checks().meanwhile();
		this.lines.add(String.format(Locale.ROOT, "checks while orders were placed: %,d answers, %,d with differences",
				meanwhile.size(), meanwhile.stream().filter(ReconciliationResult::hasDifferences).count()));
		this.outcome.checks().end().forEach(this::check);
		this.lines.add(this.outcome.comparison().toString());
		this.outcome.problems().stream().limit(20).forEach((problem) -> this.lines.add("  NOT RIGHT: " + problem));
	}

	private void check(ReconciliationResult result) {
		Answer answer = result.answer();
		this.lines.add("check '" + result.check() + "': " + ((answer != null)
				? String.format(Locale.ROOT, "%,d differences at position %,d", answer.differences(), answer.position())
				: result.error()));
	}

	private void section(String title, TextTable table) {
		this.lines.add(title);
		this.lines.addAll(table.lines());
		this.lines.add("");
	}

	private static String number(long number) {
		return String.format(Locale.ROOT, "%,d", number);
	}

	private static String number(BigDecimal amount) {
		return String.format(Locale.ROOT, "%,.2f", amount);
	}

	private static String seconds(Duration duration) {
		return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
	}

}
