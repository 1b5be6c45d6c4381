namespace Raven.Storage.Options;

/// <summary>Something that happened inside an environment and that a person should know of.</summary>
/// <param name="IsWarning">True if something is wrong, or soon will be.</param>
/// <param name="Message">A sentence for a log.</param>
public readonly record struct StorageEvent(bool IsWarning, string Message);
