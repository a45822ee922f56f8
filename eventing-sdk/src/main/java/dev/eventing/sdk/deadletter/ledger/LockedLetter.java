package dev.eventing.sdk.deadletter.ledger;

import java.util.Arrays;
import java.util.UUID;

import dev.eventing.sdk.event.RawEvent;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.RowMapper;

/** A letter that a redrive has locked. */
@SuppressWarnings("ArrayRecordComponent") // never compared by equals
record LockedLetter(UUID letterId, long number, byte @Nullable [] edited) {

	static final RowMapper<LockedLetter> ROWS = (row, number) -> new LockedLetter(
			row.getObject("letter_id", UUID.class), row.getLong("letter_number"), row.getBytes("edited_payload"));

	boolean isSameAs(RedriveLetter letter) {
		RawEvent read = letter.letter().handling().edited();
		return this.letterId.equals(letter.letter().letterId()) && this.number == letter.letter().number()
				&& Arrays.equals(this.edited, (read != null) ? read.payload() : null);
	}

}
