package dev.eventing.samples.dashboard.web;

import java.security.Principal;

import dev.eventing.samples.dashboard.house.House;
import dev.eventing.samples.dashboard.view.OccupancyView;

import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Tells the page what it is to follow. */
@RestController
@Profile("web")
class BoardController {

	@GetMapping("/board")
	Board board(Principal user) {
		return House.of(user)
			.map((house) -> new Board(house.title(), OccupancyView.NAME, OccupancyView.SLOT_SECONDS, house.keys()))
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.FORBIDDEN));
	}

}
