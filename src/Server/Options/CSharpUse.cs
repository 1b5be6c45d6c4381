namespace Raven.Server.Options;

/// <summary>What clients may have compiled.</summary>
public enum CSharpUse
{
    /// <summary>Nothing: maps are written in JavaScript.</summary>
    None,

    /// <summary>Maps and reduces, which can look at their document and at nothing else.</summary>
    Maps,

    /// <summary>Additional sources, too: C# as it is, which can do whatever the server can.</summary>
    All,
}
