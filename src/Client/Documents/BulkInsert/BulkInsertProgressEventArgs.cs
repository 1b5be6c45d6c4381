namespace Raven.Client.Documents.BulkInsert;

/// <summary>How far a bulk insert is.</summary>
/// <param name="documentsProcessed">How many documents were given to it.</param>
/// <param name="bytesSent">How many bytes they have as JSON, before any compression.</param>
public sealed class BulkInsertProgressEventArgs(long documentsProcessed, long bytesSent) : EventArgs
{
    /// <summary>How many documents were given to it.</summary>
    public long DocumentsProcessed => documentsProcessed;

    /// <summary>How many bytes they have as JSON, before any compression.</summary>
    public long BytesSent => bytesSent;
}
