namespace Raven.Documents.Backups;

/// <summary>The place of a backup does not answer, or not as it should: nothing is known of the files there.</summary>
/// <param name="message">What is wrong.</param>
/// <param name="inner">The cause, or null.</param>
public sealed class BackupPlaceException(string message, Exception? inner = null) : BackupException(message, inner);
