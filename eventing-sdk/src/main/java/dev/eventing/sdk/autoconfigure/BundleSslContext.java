package dev.eventing.sdk.autoconfigure;

import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.util.function.Supplier;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * TLS as the newest state of an SSL bundle says, because certificates are renewed while
 * an application runs. The client asks for a socket factory at each attempt to connect.
 * Thread-safe.
 */
final class BundleSslContext extends SSLContext {

	private BundleSslContext(SSLContext first, Newest newest) {
		super(newest, first.getProvider(), first.getProtocol());
	}

	/**
	 * The context of a bundle.
	 * @param bundle supplies its newest state: another object after a change
	 */
	static SSLContext of(Supplier<SslBundle> bundle) {
		Newest newest = new Newest(bundle);
		return new BundleSslContext(newest.context(), newest);
	}

	private static final class Newest extends SSLContextSpi {

		private final Supplier<SslBundle> bundle;

		private @Nullable SslBundle known;

		private @Nullable SSLContext context;

		Newest(Supplier<SslBundle> bundle) {
			this.bundle = bundle;
		}

		synchronized SSLContext context() {
			SslBundle newest = this.bundle.get();
			SSLContext latest = this.context;
			if (latest == null || newest != this.known) {
				latest = newest.createSslContext();
				this.context = latest;
				this.known = newest;
			}
			return latest;
		}

		@Override
		protected void engineInit(KeyManager[] keys, TrustManager[] trusted, SecureRandom random)
				throws KeyManagementException {
			throw new KeyManagementException("The SSL bundle has set this context up.");
		}

		@Override
		protected SSLSocketFactory engineGetSocketFactory() {
			return context().getSocketFactory();
		}

		@Override
		protected SSLServerSocketFactory engineGetServerSocketFactory() {
			return context().getServerSocketFactory();
		}

		@Override
		protected SSLEngine engineCreateSSLEngine() {
			return context().createSSLEngine();
		}

		@Override
		protected SSLEngine engineCreateSSLEngine(String host, int port) {
			return context().createSSLEngine(host, port);
		}

		@Override
		protected SSLSessionContext engineGetServerSessionContext() {
			return context().getServerSessionContext();
		}

		@Override
		protected SSLSessionContext engineGetClientSessionContext() {
			return context().getClientSessionContext();
		}

	}

}
