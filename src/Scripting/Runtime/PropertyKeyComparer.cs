using System.Runtime.CompilerServices;

namespace Raven.Scripting.Runtime;

/// <summary>
/// Strings by their characters, with the runtime's seeded hash, which no crafted keys can flood; symbols by identity.
/// </summary>
internal sealed class PropertyKeyComparer : IEqualityComparer<object>
{
    internal static readonly PropertyKeyComparer Instance = new();

    /// <inheritdoc/>
    public new bool Equals(object? x, object? y) => ReferenceEquals(x, y) || (x is string a && y is string b && a == b);

    /// <inheritdoc/>
    public int GetHashCode(object obj) => obj is string text ? text.GetHashCode(StringComparison.Ordinal)
        : RuntimeHelpers.GetHashCode(obj);
}
