package dev.eventing.sdk.event;

import java.util.Locale;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class AttributeTests {

	@ParameterizedTest
	@EnumSource
	void isFoundByItsHeaderInAnyCase(Attribute attribute) {
		String header = attribute.header();
		assertThat(Attribute.ofHeader(header)).isEqualTo(attribute);
		assertThat(Attribute.ofHeader(header.toUpperCase(Locale.ROOT))).isEqualTo(attribute);
		assertThat(Attribute.ofHeader("cE-" + attribute.ceName())).isEqualTo(attribute);
		assertThat(Attribute.ofHeader("Ce-" + attribute.ceName().toUpperCase(Locale.ROOT))).isEqualTo(attribute);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "c", "ce", "ce-", "id", "ce_id", "xce-id", "ce-id ", " ce-id", "ce-idx", "ce-i",
			"ce-tenantid", "CE-TenantId", "ce-dataschema", "Ce-Unknown", "content-type", "Nats-Msg-Id" })
	void isNotFoundByOtherHeaders(String name) {
		assertThat(Attribute.ofHeader(name)).isNull();
	}

	@Test
	void isNotFoundByLettersThatOnlyResembleIts() {
		assertThat(Attribute.ofHeader("\u0441e-id")).isNull();
		assertThat(Attribute.ofHeader("ce-\u0131d")).isNull();
		assertThat(Attribute.ofHeader("ce-\u0130d")).isNull();
	}

}
