package dev.eventing.sdk.annotation;

import java.time.Duration;
import java.util.Objects;

import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ReadModel;
import dev.eventing.sdk.projector.RowColumns;
import dev.eventing.sdk.projector.TableScript;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A projector's declaration of its read model. */
class ReadModelDeclarationTests {

	record Placed(String id) {
	}

	record Shipped(String id) {
	}

	@Test
	void classesOfOneProjectorShareItsReadModel() throws Exception {
		try (TestContext context = new TestContext(Orders.class, Shipments.class).start()) {
			ReadModel readModel = context.endpoint().readModel();
			assertThat(readModel.isDeclared()).isTrue();
			assertThat(readModel.tables()).containsExactlyInAnyOrder("orders", "reporting.order_totals", "shipments");
			assertThat(readModel.resets()).hasSize(1);
			readModel.resets().get(0).reset();
			assertThat(context.bean(Orders.class).resets).isEqualTo(1);
		}
	}

	@Test
	void aProjectorThatDeclaresNothingHasNone() {
		try (TestContext context = new TestContext(Plain.class).start()) {
			assertThat(context.endpoint().readModel()).isEqualTo(ReadModel.NONE);
			assertThat(context.endpoint().readModel().isDeclared()).isFalse();
		}
	}

	@Test
	void twoVersionsOfOneNameAreTwoEndpoints() {
		try (TestContext context = new TestContext(StoredTwo.class, Stored.class).start()) {
			assertThat(context.endpoints()).extracting(ProjectorEndpoint::name).containsExactly("stored", "stored");
			assertThat(context.endpoints()).extracting((endpoint) -> endpoint.readModel().version())
				.containsExactly(1, 2);
		}
	}

	@Test
	void refusesVersionsThatCannotFollowEachOther() {
		assertThat(TestContext.problemsOf(Stored.class, WithOtherTables.class)).singleElement()
			.asString()
			.contains("of version 1 and [WithOtherTables.on(Placed)] of version 2",
					"the versions declare different tables");
		assertThat(TestContext.problemsOf(Stored.class, FromJetStream.class)).singleElement()
			.asString()
			.contains("[FromJetStream.on(Placed)] of version 2",
					"one version reads the event store, and the other JetStream. Consider the same source for both.");
		assertThat(TestContext.problemsOf(WithoutTables.class)).singleElement()
			.asString()
			.contains("[WithoutTables.on(Placed)] of version 2",
					"a version is built beside the one before it, so the projector declares all of its tables");
		assertThat(TestContext.problemsOf(VersionZero.class)).singleElement()
			.asString()
			.contains("@Projector version = 0 is less than 1", "Consider version = 1");
	}

	@Test
	void readsWhatTheRowsAreMadeOf() {
		try (TestContext context = new TestContext(Owned.class).start()) {
			ReadModel readModel = context.endpoint().readModel();
			assertThat(readModel.columnsOf("summary")).isEqualTo(new RowColumns("tenant", "id", "order-", null, null));
			assertThat(readModel.columnsOf("hourly"))
				.isEqualTo(new RowColumns("tenant_id", null, "", "hour", Duration.ofHours(1)));
			assertThat(readModel.columnsOf("other")).isEqualTo(RowColumns.NONE);
		}
	}

	@Test
	void refusesRowsThatCannotBe() {
		assertThat(TestContext.problemsOf(RowsOfAnotherTable.class)).singleElement()
			.asString()
			.contains("@ReadModelRows names table \"others\", and @Projector declares the tables [summary]");
		assertThat(TestContext.problemsOf(BucketWithoutLength.class)).singleElement()
			.asString()
			.contains("@ReadModelRows has only one of bucketColumn and bucketLength");
		assertThat(TestContext.problemsOf(BucketOfNoLength.class)).singleElement()
			.asString()
			.contains("bucketLength = \"an hour\" is no duration");
		assertThat(TestContext.problemsOf(ColumnOfNoName.class)).singleElement()
			.asString()
			.contains("streamColumn = \"id; drop table x\" is no name of a column");
	}

	@Test
	void readsTheScriptThatCreatesItsTables() {
		try (TestContext context = new TestContext(Scripted.class).start()) {
			TableScript script = Objects.requireNonNull(context.endpoint().readModel().script());
			assertThat(script.location()).isEqualTo("classpath:dev/eventing/sdk/annotation/stored.sql");
			assertThat(script.text()).startsWith("create table stored");
			assertThat(script.checksum()).matches("[0-9a-f]{64}")
				.isNotEqualTo(new TableScript(script.location(), script.text() + " ").checksum());
		}
	}

	@Test
	void refusesAScriptThatCannotBeUsed() {
		assertThat(TestContext.problemsOf(ScriptMissing.class)).singleElement()
			.asString()
			.contains("@Projector script = \"classpath:no-such.sql\" cannot be read: ", "Consider a location such as");
		assertThat(TestContext.problemsOf(ScriptWithoutTables.class)).singleElement()
			.asString()
			.contains(
					"its script creates the tables of a generation beside the live one, so the projector declares all");
		assertThat(TestContext.problemsOf(Scripted.class, OtherScript.class)).singleElement()
			.asString()
			.contains("its classes have the scripts [classpath:dev/eventing/sdk/annotation/other.sql, ",
					"Consider one script at one of them");
	}

	@Test
	void refusesWhatIsNoNameOfATable() {
		assertThat(TestContext.problemsOf(NoTable.class)).singleElement()
			.asString()
			.contains("@Projector tables has \"orders; drop table orders\", which is no name of a table",
					"Consider a name such as");
	}

	@Test
	void refusesAResetWithParameters() {
		assertThat(TestContext.problemsOf(ResetWithParameter.class)).singleElement()
			.asString()
			.contains("its @ProjectionReset method reset has parameters", "Consider a method without parameters");
	}

	@Test
	void refusesAResetWithoutAProjector() {
		assertThat(TestContext.problemsOf(ResetWithoutProjector.class)).singleElement()
			.asString()
			.contains("it has @ProjectionReset but no @Projector", "Consider adding @Projector");
	}

	@Projector(value = "orders", tables = { "orders", "reporting.order_totals" })
	static class Orders {

		int resets;

		@ProjectorEventHandler(subject = "*.order.placed")
		public void on(Placed event) {
		}

		@ProjectionReset
		public void reset() {
			this.resets++;
		}

	}

	@Projector(value = "orders", tables = "shipments")
	static class Shipments {

		@ProjectorEventHandler(subject = "*.order.shipped")
		public void on(Shipped event) {
		}

	}

	static class Plain {

		@ProjectorEventHandler(subject = "*.order.placed")
		public void on(Placed event) {
		}

	}

	@Projector(value = "scripted", tables = "stored", script = "classpath:dev/eventing/sdk/annotation/stored.sql")
	static class Scripted {

		@ProjectorEventHandler(subject = "*.order.placed", source = Source.EVENT_STORE)
		public void on(Placed event) {
		}

	}

	@Projector(value = "scripted", tables = "stored", script = "classpath:dev/eventing/sdk/annotation/other.sql")
	static class OtherScript {

		@ProjectorEventHandler(subject = "*.order.shipped", source = Source.EVENT_STORE)
		public void on(Shipped event) {
		}

	}

	@Projector(value = "scripted", tables = "stored", script = "classpath:no-such.sql")
	static class ScriptMissing {

		@ProjectorEventHandler(subject = "*.order.placed", source = Source.EVENT_STORE)
		public void on(Placed event) {
		}

	}

	@Projector(value = "scripted", script = "classpath:dev/eventing/sdk/annotation/stored.sql")
	static class ScriptWithoutTables {

		@ProjectorEventHandler(subject = "*.order.placed", source = Source.EVENT_STORE)
		public void on(Placed event) {
		}

	}

	@Projector(value = "stored", tables = "stored")
	static class Stored {

		@ProjectorEventHandler(subject = "*.order.placed", source = Source.EVENT_STORE)
		public void on(Placed event) {
		}

	}

	@Projector(value = "stored", version = 2, tables = "stored")
	static class StoredTwo {

		@ProjectorEventHandler(subject = "*.order.placed", source = Source.EVENT_STORE)
		public void on(Placed event) {
		}

	}

	@Projector(value = "stored", version = 2, tables = "others")
	static class WithOtherTables {

		@ProjectorEventHandler(subject = "*.order.placed", source = Source.EVENT_STORE)
		public void on(Placed event) {
		}

	}

	@Projector(value = "stored", version = 2, tables = "stored")
	static class FromJetStream {

		@ProjectorEventHandler(subject = "*.order.placed")
		public void on(Placed event) {
		}

	}

	@Projector(value = "stored", version = 2)
	static class WithoutTables {

		@ProjectorEventHandler(subject = "*.order.placed", source = Source.EVENT_STORE)
		public void on(Placed event) {
		}

	}

	@Projector(value = "stored", version = 0)
	static class VersionZero {

		@ProjectorEventHandler(subject = "*.order.placed")
		public void on(Placed event) {
		}

	}

	@Projector(value = "orders", tables = "orders; drop table orders")
	static class NoTable {

		@ProjectorEventHandler(subject = "*.order.placed")
		public void on(Placed event) {
		}

	}

	@Projector("orders")
	static class ResetWithParameter {

		@ProjectorEventHandler(subject = "*.order.placed")
		public void on(Placed event) {
		}

		@ProjectionReset
		public void reset(String why) {
		}

	}

	static class ResetWithoutProjector {

		@ProjectorEventHandler(subject = "*.order.placed")
		public void on(Placed event) {
		}

		@ProjectionReset
		public void reset() {
		}

	}

	@Projector(value = "owned", tables = { "summary", "hourly" },
			rows = { @ReadModelRows(tenantColumn = "tenant", streamColumn = "id", streamPrefix = "order-"),
					@ReadModelRows(table = "hourly", bucketColumn = "hour", bucketLength = "PT1H") })
	static class Owned {

		@ProjectorEventHandler(subject = "a.{tenant}.b")
		public void on(Placed event) {
			throw new IllegalStateException("not called");
		}

	}

	@Projector(value = "owned", tables = { "summary" }, rows = @ReadModelRows(table = "others"))
	static class RowsOfAnotherTable {

		@ProjectorEventHandler(subject = "a.{tenant}.b")
		public void on(Placed event) {
			throw new IllegalStateException("not called");
		}

	}

	@Projector(value = "owned", tables = { "summary" }, rows = @ReadModelRows(bucketColumn = "hour"))
	static class BucketWithoutLength {

		@ProjectorEventHandler(subject = "a.{tenant}.b")
		public void on(Placed event) {
			throw new IllegalStateException("not called");
		}

	}

	@Projector(value = "owned", tables = { "summary" },
			rows = @ReadModelRows(bucketColumn = "hour", bucketLength = "an hour"))
	static class BucketOfNoLength {

		@ProjectorEventHandler(subject = "a.{tenant}.b")
		public void on(Placed event) {
			throw new IllegalStateException("not called");
		}

	}

	@Projector(value = "owned", tables = { "summary" }, rows = @ReadModelRows(streamColumn = "id; drop table x"))
	static class ColumnOfNoName {

		@ProjectorEventHandler(subject = "a.{tenant}.b")
		public void on(Placed event) {
			throw new IllegalStateException("not called");
		}

	}

}
