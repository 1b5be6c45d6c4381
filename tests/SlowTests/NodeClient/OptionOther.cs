using System.Diagnostics.CodeAnalysis;

namespace SlowTests.NodeClient;

/// <summary>A document that a scenario of an option stores, in the collection <c>Others</c>.</summary>
[SuppressMessage("Style", "IDE1006:Naming Styles", Justification = "The Node client stores it so.")]
public sealed class OptionOther
{
    public string text { get; init; } = "new";
}
