namespace Raven.Documents.Backups;

/// <summary>A backup cannot be made or used: the message names the file and what is wrong with it.</summary>
/// <param name="message">What is wrong, and where.</param>
/// <param name="inner">The cause, or null.</param>
public class BackupException(string message, Exception? inner = null) : Exception(message, inner);
