namespace Raven.Documents.Schemas;

/// <summary>
/// Refuses schemas whose parts for the same value lead to themselves: no check of a value would end. A reference from
/// a property or an item is no loop, since documents end.
/// </summary>
internal sealed class SchemaLoops
{
    /// <summary>The longest way from part to part for the same value.</summary>
    private const int WayMax = 64;

    private readonly Dictionary<SchemaNode, int> _ways = [];
    private readonly List<SchemaNode> _behind = [];
    private readonly ILookup<string, SchemaNode> _dynamic;

    private SchemaLoops(IReadOnlyCollection<SchemaNode> nodes) => _dynamic = nodes
        .Select(node => node.Resource).Distinct().SelectMany(one => one.Dynamic)
        .ToLookup(one => one.Key, one => one.Value);

    /// <exception cref="FormatException">There is a loop, or a too long way.</exception>
    internal static void Check(IReadOnlyCollection<SchemaNode> nodes)
    {
        SchemaLoops loops = new(nodes);
        foreach (SchemaNode node in nodes)
        {
            loops.WayFrom(node);
        }
    }

    private int WayFrom(SchemaNode node)
    {
        if (_ways.TryGetValue(node, out int known))
        {
            return known;
        }

        int at = _behind.IndexOf(node);
        if (at >= 0)
        {
            throw new FormatException(
                $"{node.Place} leads to itself by {string.Join(", ", _behind[at..].Select(one => one.Place))}: "
                + "no check of a value would end.");
        }

        if (_behind.Count > WayMax)
        {
            throw TooLong(_behind[0]);
        }

        _behind.Add(node);
        int way = 0;
        foreach (SchemaNode next in node.InPlace().Concat(
            node.DynamicName is null ? [] : _dynamic[node.DynamicName]))
        {
            way = Math.Max(way, 1 + WayFrom(next));
        }

        _behind.RemoveAt(_behind.Count - 1);
        _ways.Add(node, way);
        return way > WayMax ? throw TooLong(node) : way;
    }

    private static FormatException TooLong(SchemaNode node) =>
        new($"{node.Place} leads over more than {WayMax} parts for the same value.");
}
