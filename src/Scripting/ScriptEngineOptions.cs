namespace Raven.Scripting;

/// <summary>How an engine is made.</summary>
public sealed record ScriptEngineOptions
{
    /// <summary>The clock of <c>Date.now()</c> and of the limits.</summary>
    public required TimeProvider Clock { get; init; }

    /// <summary>
    /// How many compiled scripts are kept; when there are more, the least recently compiled half is dropped.
    /// </summary>
    public int CachedScriptsMax { get; init; } = 1024;

    /// <summary>Length of a script's text in UTF-16 units.</summary>
    public int TextLengthMax { get; init; } = 1024 * 1024;
}
