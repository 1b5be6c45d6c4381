namespace Raven.Scripting.Runtime;

/// <summary>State that few objects need: attributes, an index of many keys, and members with private names.</summary>
internal sealed class RareState
{
    internal PropertyFlags[]? Flags;
    internal Dictionary<object, int>? Index;
    internal int Deleted;
    internal PrivateMembers? Privates;
}
