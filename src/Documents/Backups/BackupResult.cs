namespace Raven.Documents.Backups;

/// <summary>What a run of a backup has made. Immutable.</summary>
/// <param name="Folder">The folder.</param>
/// <param name="Manifest">The file; if nothing had changed, the last one that there was.</param>
/// <param name="IsMade">False if nothing had changed since the last one: there is no new file.</param>
/// <param name="WhyFull">Why all of it was made although only changes were wanted; null if that is not so.</param>
public sealed record BackupResult(string Folder, BackupManifest Manifest, bool IsMade, string? WhyFull);
