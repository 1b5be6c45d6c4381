namespace Raven.Storage.Log;

/// <summary>A place in the log that the nodes of a group share (LOG-1).</summary>
/// <param name="TransactionId">The transaction.</param>
/// <param name="LogHash">The hash of the log up to it; 0 if the log has not begun in this environment.</param>
/// <param name="Epoch">The epoch under which its primary made it.</param>
public readonly record struct LogPosition(long TransactionId, ulong LogHash, long Epoch);
