package dev.eventing.sdk.guarantees;

import java.util.UUID;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.Event;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.annotations.TenantId;
import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;

/** An application whose Hibernate writes a tenant into each row by itself. */
final class JpaTenants {

	private JpaTenants() {
	}

	/** Has transactions run by JPA's manager, whose sessions ask for their tenant. */
	static void use(AnnotationConfigApplicationContext context, CurrentTenantIdentifierResolver<String> resolver) {
		context.removeBeanDefinition("platformTransactionManager");
		context.registerBean("entityManagerFactory", LocalContainerEntityManagerFactoryBean.class,
				() -> entityManagerFactory(context.getBean(HikariDataSource.class), resolver));
		context.registerBean("platformTransactionManager", PlatformTransactionManager.class,
				() -> new JpaTransactionManager(context.getBean(EntityManagerFactory.class)));
	}

	private static LocalContainerEntityManagerFactoryBean entityManagerFactory(DataSource dataSource,
			CurrentTenantIdentifierResolver<String> resolver) {
		LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
		factory.setDataSource(dataSource);
		factory.setManagedTypes(PersistenceManagedTypes.of(Posting.class.getName()));
		factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		factory.getJpaPropertyMap().put("hibernate.hbm2ddl.auto", "none");
		factory.getJpaPropertyMap().put(MultiTenancySettings.MULTI_TENANT_IDENTIFIER_RESOLVER, resolver);
		return factory;
	}

	/** Refuses some tenants. */
	static class RefusingResolver extends CurrentTenantResolver {

		private final String refused;

		RefusingResolver(String refused) {
			this.refused = refused;
		}

		@Override
		public String resolveCurrentTenantIdentifier() {
			String tenant = super.resolveCurrentTenantIdentifier();
			if (tenant.equals(this.refused)) {
				throw new IllegalArgumentException("There is no tenant '" + tenant + "'.");
			}
			return tenant;
		}

	}

	/** Knows no tenant but the current one. */
	static class CurrentTenantResolver implements CurrentTenantIdentifierResolver<String> {

		@Override
		public String resolveCurrentTenantIdentifier() {
			return CurrentTenant.require().value();
		}

		@Override
		public boolean validateExistingCurrentSessions() {
			return false;
		}

	}

	/**
	 * Serves sessions without a tenant, such as Spring Data's at the start.
	 */
	static class OrNoTenantResolver extends CurrentTenantResolver {

		@Override
		public String resolveCurrentTenantIdentifier() {
			return CurrentTenant.find().map((tenant) -> tenant.value()).orElse("no tenant");
		}

	}

	/** As many applications have it: their own ThreadLocal, with a default. */
	static class ThreadLocalResolver implements CurrentTenantIdentifierResolver<String> {

		static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

		@Override
		public String resolveCurrentTenantIdentifier() {
			String tenant = TENANT.get();
			return (tenant != null) ? tenant : "nobody";
		}

		@Override
		public boolean validateExistingCurrentSessions() {
			return false;
		}

	}

	/** One row per event. */
	@Entity
	@Table(name = "posting")
	static class Posting {

		@Id
		private UUID id;

		/** Written by Hibernate. */
		@TenantId
		private String tenant;

		/** The tenant of the event. */
		@Column
		private String expected;

		@Column
		private String account;

		@Column
		private long version;

		Posting() {
		}

		Posting(Event<Deposited> event) {
			this.id = event.id();
			this.expected = event.tenantId().value();
			this.account = event.payload().account();
			this.version = event.payload().version();
		}

		/** Null until Hibernate has written it. */
		@Nullable String tenant() {
			return this.tenant;
		}

	}

}
