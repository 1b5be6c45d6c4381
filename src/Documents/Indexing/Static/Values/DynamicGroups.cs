namespace Raven.Documents.Indexing.Static.Values;

/// <summary>The implementation of <c>group x by k</c> within a map.</summary>
public static class DynamicGroups
{
    private static readonly DynamicMember Key = new("Key");
    private static readonly DynamicMember Value = new("Value");

    /// <summary>Groups pairs: the values with the same key.</summary>
    public static DynamicValue Of(DynamicValue pairs) => DynamicValue.Of(
        DynamicSequence.Of(pairs).GroupBy(pair => pair.Get(Key), pair => pair.Get(Value), DynamicEquality.Instance)
            .Select(group => DynamicValue.Of(new DynamicGroup(group.Key, group))));
}
