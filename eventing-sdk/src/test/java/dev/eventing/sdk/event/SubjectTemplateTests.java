package dev.eventing.sdk.event;

import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SubjectTemplateTests {

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "a.", ".a", "a..b", "a b", "a\r\nb", "a\u007f", "a*", "a.*b", "a.>.b", "a>",
			"{tenant}x.a", "{Tenant}.a", "{category}.a", "{tenant}.{tenant}", "a}" })
	void refusesWhatIsNoSubject(String template) {
		assertThatExceptionOfType(InvalidSubjectException.class).isThrownBy(() -> SubjectTemplate.of(template))
			.withMessageStartingWith("Subject '")
			.withMessageContaining("Consider ");
	}

	@ParameterizedTest
	@CsvSource({ "{tenant}.order.placed,*.order.placed", "order.{tenant}.>,order.*.>", "order.*,order.*", ">,>" })
	void filtersWithAWildcardInPlaceOfTheTenant(String template, String filter) {
		assertThat(SubjectTemplate.of(template).filter()).isEqualTo(filter);
	}

	@ParameterizedTest
	@CsvSource({ "{tenant}.order.placed,acme.order.placed", "order.>,order.a", "order.>,order.a.b", "*.a,x.a", "a,a" })
	void matchesItsSubjects(String template, String subject) {
		assertThat(SubjectTemplate.of(template).matches(subject)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "{tenant}.order.placed,acme.order", "{tenant}.order.placed,acme.order.placed.x", "order.>,order",
			"*.a,x.b", "a,A" })
	void matchesNoOthers(String template, String subject) {
		assertThat(SubjectTemplate.of(template).matches(subject)).isFalse();
	}

	@Test
	void isEqualByItsText() {
		assertThat(SubjectTemplate.of("{tenant}.a")).isEqualTo(SubjectTemplate.of("{tenant}.a"))
			.hasSameHashCodeAs(SubjectTemplate.of("{tenant}.a"))
			.isNotEqualTo(SubjectTemplate.of("*.a"))
			.hasToString("{tenant}.a");
	}

	@Nested
	class WithATenant {

		private final SubjectTemplate template = SubjectTemplate.of("order.{tenant}.placed");

		@Test
		void tellsTheTenantsTokenValidOrNot() {
			assertThat(this.template.tenantToken("order.acme.placed")).isEqualTo("acme");
			assertThat(this.template.tenantToken("order.a$b.placed")).isEqualTo("a$b");
		}

		@Test
		void tellsNoTokenOfASubjectThatIsTooShort() {
			assertThatExceptionOfType(InvalidSubjectException.class)
				.isThrownBy(() -> this.template.tenantToken("order"))
				.withMessageContaining("'order' does not match 'order.{tenant}.placed'");
		}

		@Test
		void resolvesToTheSubjectOfOneTenant() {
			assertThat(this.template.resolve(TenantId.of("acme"))).isEqualTo("order.acme.placed");
		}

	}

	@Nested
	class WithoutATenant {

		@Test
		void tellsNoToken() {
			assertThat(SubjectTemplate.of("order.placed").hasTenant()).isFalse();
			assertThat(SubjectTemplate.of("order.placed").tenantToken("order.placed")).isNull();
		}

	}

	@ParameterizedTest
	@ValueSource(strings = { "{tenant}.*", "{tenant}.>" })
	void resolvesNoWildcards(String template) {
		assertThatExceptionOfType(InvalidSubjectException.class)
			.isThrownBy(() -> SubjectTemplate.of(template).resolve(TenantId.of("acme")))
			.withMessageContaining("has wildcards");
	}

}
