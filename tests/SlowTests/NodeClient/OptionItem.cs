using System.Diagnostics.CodeAnalysis;

namespace SlowTests.NodeClient;

/// <summary>What the options are tried on, with names as JavaScript has them.</summary>
[SuppressMessage("Style", "IDE1006:Naming Styles", Justification = "The Node client stores them so.")]
public sealed class OptionItem
{
    public string? text { get; init; }

    public int? n { get; init; }
}
