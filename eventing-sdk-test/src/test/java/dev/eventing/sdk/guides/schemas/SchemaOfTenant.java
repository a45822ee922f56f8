package dev.eventing.sdk.guides.schemas;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

import javax.sql.DataSource;

import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.TenantId;
import org.hibernate.cfg.MultiTenancySettings;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;

import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.stereotype.Component;

/** Each tenant has a schema of its name. All are in the database of the SDK's tables. */
@Component
@SuppressWarnings("serial")
class SchemaOfTenant implements MultiTenantConnectionProvider<String>, CurrentTenantIdentifierResolver<String>,
		HibernatePropertiesCustomizer {

	private static final String NONE = "public";

	private final DataSource dataSource;

	SchemaOfTenant(DataSource dataSource) {
		this.dataSource = dataSource;
	}

	@Override
	public void customize(Map<String, Object> properties) {
		properties.put(MultiTenancySettings.MULTI_TENANT_IDENTIFIER_RESOLVER, this);
		properties.put(MultiTenancySettings.MULTI_TENANT_CONNECTION_PROVIDER, this);
	}

	@Override
	public String resolveCurrentTenantIdentifier() {
		return CurrentTenant.find().map(TenantId::value).orElse(NONE);
	}

	@Override
	public boolean validateExistingCurrentSessions() {
		return false;
	}

	@Override
	public Connection getConnection(String tenant) throws SQLException {
		Connection connection = getAnyConnection();
		connection.setSchema(tenant);
		return connection;
	}

	@Override
	public void releaseConnection(String tenant, Connection connection) throws SQLException {
		connection.setSchema(NONE);
		releaseAnyConnection(connection);
	}

	@Override
	public Connection getAnyConnection() throws SQLException {
		return this.dataSource.getConnection();
	}

	@Override
	public void releaseAnyConnection(Connection connection) throws SQLException {
		connection.close();
	}

	@Override
	public boolean supportsAggressiveRelease() {
		return false;
	}

	@Override
	public boolean isUnwrappableAs(Class<?> type) {
		return type.isInstance(this);
	}

	@Override
	public <T> T unwrap(Class<T> type) {
		return type.cast(this);
	}

}
