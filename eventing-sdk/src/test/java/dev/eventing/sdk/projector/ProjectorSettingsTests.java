package dev.eventing.sdk.projector;

import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

import dev.eventing.sdk.projector.ProjectorSettings.DeadLetters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.ReflectionUtils;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/** What holds for each setting, also for those to come. */
class ProjectorSettingsTests {

	private static final ProjectorSettings BUILT_IN = ProjectorSettings.BUILT_IN;

	private static List<RecordComponent> settings() {
		return Stream.of(ProjectorSettings.class, DeadLetters.class)
			.flatMap((type) -> Arrays.stream(type.getRecordComponents()))
			.filter((component) -> !component.getType().isRecord())
			.toList();
	}

	@ParameterizedTest
	@MethodSource("settings")
	void aSettingIsKeptByItselfAndLeftToOthersOtherwise(RecordComponent component) {
		Object value = sample(component.getType());
		ProjectorSettings one = only(component, value);
		assertThat(read(component, one)).isEqualTo(value);
		assertThat(one).isNotEqualTo(ProjectorSettings.NONE);
		assertThat(one.toBuilder().build()).isEqualTo(one);
		assertThat(one.orElse(ProjectorSettings.NONE)).isEqualTo(one);
		assertThat(ProjectorSettings.NONE.orElse(one)).isEqualTo(one);
		ProjectorSettings complete = one.orElse(BUILT_IN);
		assertThat(settings()).filteredOn((other) -> !Objects.equals(read(other, complete), read(other, BUILT_IN)))
			.as("the others are not changed")
			.extracting(RecordComponent::getName)
			.containsExactly(component.getName());
	}

	@Test
	void inheritSetsNothing() {
		List<RecordComponent> policies = settings().stream().filter((each) -> each.getType().isEnum()).toList();
		assertThat(policies).hasSizeGreaterThan(5).allSatisfy((component) -> {
			Object inherit = component.getType().getEnumConstants()[0];
			assertThat(inherit).hasToString("INHERIT");
			assertThat(only(component, inherit)).isEqualTo(ProjectorSettings.NONE);
		});
	}

	@Test
	void codeCanSetEachOfThem() {
		Set<String> set = new HashSet<>();
		for (Method method : ProjectorSettings.Builder.class.getMethods()) {
			if (method.getReturnType() == ProjectorSettings.Builder.class) {
				Class<?> type = method.getParameterTypes()[0];
				ProjectorSettings.Builder builder = ProjectorSettings.builder();
				ReflectionUtils.invokeMethod(method, builder, (type == DeadLetters.class) ? DeadLetters.of(Parking.KEY)
						: (type == Long.class) ? Long.valueOf(7) : sample(type));
				assertThat(builder.build()).as(method.getName()).isNotEqualTo(ProjectorSettings.NONE);
				ReflectionUtils.invokeMethod(method, builder, new Object[] { null });
				assertThat(builder.build()).as(method.getName()).isEqualTo(ProjectorSettings.NONE);
				set.add(method.getName());
			}
		}
		assertThat(set).containsExactlyInAnyOrderElementsOf(
				Arrays.stream(ProjectorSettings.class.getRecordComponents()).map(RecordComponent::getName).toList());
	}

	@Test
	void aProjectorHasAValueForEachButThoseThatNeedNone() {
		ProjectorOptions options = ProjectorOptions.of(ProjectorSettings.NONE);
		assertThat(settings()).filteredOn((component) -> read(component, options.settings()) == null)
			.extracting(RecordComponent::getName)
			.containsExactlyInAnyOrder("key", "tenancy");
	}

	private static ProjectorSettings only(RecordComponent component, @Nullable Object value) {
		return ProjectorSettings.of((name, type) -> name.equals(component.getName()) ? value : null);
	}

	private static @Nullable Object read(RecordComponent component, ProjectorSettings settings) {
		boolean ofLetters = component.getAccessor().getDeclaringClass() == DeadLetters.class;
		return ReflectionUtils.invokeMethod(component.getAccessor(), ofLetters ? settings.deadLetters() : settings);
	}

	/** A value that is not built in. */
	private static Object sample(Class<?> type) {
		if (type.isEnum()) {
			return type.getEnumConstants()[2];
		}
		return switch (type.getSimpleName()) {
			case "Integer" -> 7;
			case "Double" -> 7.0;
			case "String" -> "payload.id";
			case "Duration" -> Duration.ofDays(7);
			case "DataSize" -> DataSize.ofBytes(7);
			case "Set" -> Set.of(IllegalStateException.class);
			default -> throw new IllegalArgumentException("no sample of " + type);
		};
	}

}
