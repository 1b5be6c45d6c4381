namespace Raven.Documents.Indexing.Static.Values;

/// <summary>Equality of values as maps compare them, for sets and groups.</summary>
internal sealed class DynamicEquality : IEqualityComparer<DynamicValue>
{
    internal static readonly DynamicEquality Instance = new();

    public bool Equals(DynamicValue x, DynamicValue y) => DynamicLogic.IsEqual(x, y);

    public int GetHashCode(DynamicValue obj) => DynamicLogic.HashOf(obj);
}
