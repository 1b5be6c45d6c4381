namespace Raven.Client.Exceptions.Documents.BulkInsert;

/// <summary>A bulk insert was aborted. Batches that were committed until then are kept.</summary>
public sealed class BulkInsertAbortedException(string message, Exception? innerException = null)
    : RavenException(message, innerException);
