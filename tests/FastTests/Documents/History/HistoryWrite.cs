namespace FastTests.Documents.History;

/// <summary>A write of a batch.</summary>
/// <param name="Document">The number of the document.</param>
/// <param name="IsPut">Put, or delete.</param>
/// <param name="Expected">The etag of the version that must be there; 0 for none; -1 for any or none.</param>
/// <param name="IsWithinBatch">It was refused because the batch itself had written the document.</param>
/// <param name="Etag">The change that it became; 0 if it changed nothing.</param>
internal sealed record HistoryWrite(int Document, bool IsPut, long Expected, bool IsWithinBatch = false, long Etag = 0);
