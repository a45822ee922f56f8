package dev.eventing.sdk.annotation;

import java.beans.Introspector;
import java.util.ArrayList;
import java.util.List;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Handlers that the tests of the annotation share. */
abstract class HandlerSamples {

	record Placed(String id) {
	}

	static class Seen {

		final List<Object> payloads = new ArrayList<>();

		final List<Boolean> transactional = new ArrayList<>();

		void add(Object payload) {
			this.payloads.add(payload);
			this.transactional.add(TransactionSynchronizationManager.isActualTransactionActive());
		}

	}

	static final Placed PLACED = new Placed("o-1");

	static String name(Class<?> nested) {
		return Introspector.decapitalize(nested.getEnclosingClass().getSimpleName() + "." + nested.getSimpleName());
	}

	static class Plain {

		private final Seen seen;

		Plain(Seen seen) {
			this.seen = seen;
		}

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		void on(Placed event) {
			this.seen.add(event);
		}

	}

	static class NoResources extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

	@Configuration
	@EnableTransactionManagement(proxyTargetClass = true)
	static class SubclassProxies {

		@Bean
		PlatformTransactionManager transactionManager() {
			return new NoResources();
		}

	}

	@Configuration
	@EnableTransactionManagement
	static class InterfaceProxies {

		@Bean
		PlatformTransactionManager transactionManager() {
			return new NoResources();
		}

	}

	@Transactional
	static class NotInInterface implements Runnable {

		@Override
		public void run() {
		}

		@ProjectorEventHandler(subject = "{tenant}.order.placed")
		public void on(Placed event) {
		}

	}

}
