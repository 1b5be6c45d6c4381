namespace Raven.Storage.Options;

/// <summary>An event inside an environment that an operator should know of.</summary>
/// <param name="IsWarning">True if something is wrong, or soon will be.</param>
/// <param name="Message">A sentence for a log.</param>
public readonly record struct StorageEvent(bool IsWarning, string Message);
