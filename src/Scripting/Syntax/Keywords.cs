using System.Collections.Frozen;

namespace Raven.Scripting.Syntax;

/// <summary>The reserved words, and those that only strict code reserves.</summary>
internal static class Keywords
{
    private static readonly FrozenDictionary<string, TokenKind> ByName =
        Enum.GetValues<TokenKind>().Where(kind => kind >= TokenKind.Break)
            .ToFrozenDictionary(kind => kind.ToString().ToLowerInvariant(), kind => kind, StringComparer.Ordinal);

    private static readonly FrozenDictionary<string, TokenKind>.AlternateLookup<ReadOnlySpan<char>> BySpan =
        ByName.GetAlternateLookup<ReadOnlySpan<char>>();

    private static readonly FrozenSet<string> ReservedInStrictCode = new[]
    {
        "implements", "interface", "let", "package", "private", "protected", "public", "static", "yield",
    }.ToFrozenSet(StringComparer.Ordinal);

    internal static TokenKind Find(ReadOnlySpan<char> name) =>
        name.Length is >= 2 and <= 10 && BySpan.TryGetValue(name, out TokenKind kind) ? kind : TokenKind.Identifier;

    internal static bool IsReservedInStrictCode(string name) => ReservedInStrictCode.Contains(name);
}
