namespace Raven.Server.Http.Backups;

/// <summary>What a run has written to a bucket.</summary>
/// <param name="Bytes">How much.</param>
/// <param name="Took">How long it took.</param>
/// <param name="Problem">Why it is not all there; null if it is.</param>
internal sealed record BackupUpload(long Bytes, TimeSpan Took, string? Problem);
