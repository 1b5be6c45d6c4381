using System.Runtime.CompilerServices;

namespace Raven.Scripting.Runtime;

/// <summary>
/// Compares strings by their characters, with the runtime's seeded hash, against crafted keys; symbols by identity.
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
