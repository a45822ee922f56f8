package dev.eventing.sdk.guides.library;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Lends the books of several libraries, each of which is a tenant. */
@SpringBootApplication
class LibraryApplication {

	public static void main(String[] args) {
		SpringApplication.run(LibraryApplication.class, args);
	}

}
