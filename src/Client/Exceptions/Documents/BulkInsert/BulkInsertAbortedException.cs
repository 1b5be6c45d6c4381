namespace Raven.Client.Exceptions.Documents.BulkInsert;

/// <summary>A bulk insert ended before its end. Batches that were committed until then are there.</summary>
public sealed class BulkInsertAbortedException(string message, Exception? innerException = null)
    : RavenException(message, innerException);
