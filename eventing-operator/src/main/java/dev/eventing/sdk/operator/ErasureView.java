package dev.eventing.sdk.operator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.erasure.ErasureReport;
import dev.eventing.sdk.erasure.ErasureRequest;

/**
 * The result of an erasure, or of its dry run.
 *
 * @param tenant the tenant of the stream
 * @param stream the stream
 * @param known whether the tenant has the stream; always true over HTTP, where an unknown
 * stream is not found
 * @param dryRun whether nothing was changed
 * @param erased how much is erased, or would be, by kind
 * @param notErased what may have contents of the stream and is not erased
 * @param outside statements that erase what lies in JetStream
 * @param pending what may still bring out contents that it had read before
 */
public record ErasureView(String tenant, String stream, boolean known, boolean dryRun, Map<String, Long> erased,
		List<String> notErased, List<String> outside, List<String> pending) {

	/** The report as JSON. */
	public static ErasureView of(ErasureRequest request, boolean dryRun, ErasureReport report) {
		Map<String, Long> erased = new LinkedHashMap<>();
		report.erased().forEach((each) -> erased.put(each.what(), each.count()));
		return new ErasureView(request.tenantId().value(), request.streamId(), report.known(), dryRun, erased,
				report.notErased(), report.outside(), report.pending());
	}

}
