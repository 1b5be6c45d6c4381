using Raven.Blittable.Reading;

namespace Raven.Documents.Schemas;

/// <summary>What a check has found so far: the first thing that breaks a schema, and the way to it. Used
/// again.</summary>
internal sealed class SchemaTrail
{
    private readonly List<string> _path = [];
    private SchemaNode? _failed;
    private string _keyword = "";
    private string _detail = "";

    /// <summary>How many parts are tried that a value may break: while there are some, nothing is noted.</summary>
    internal int Quiet { get; set; }

    /// <summary>It cannot be decided whether the document keeps to the schema, so that it is taken for one that does
    /// not. No part of the schema changes that any more.</summary>
    internal bool IsOut { get; private set; }

    internal void Clear()
    {
        Quiet = 0;
        IsOut = false;
        _failed = null;
        _path.Clear();
    }

    /// <summary>Notes what is broken, unless it may be. Always false.</summary>
    internal bool Fail(SchemaNode node, string keyword, string detail = "")
    {
        if (Quiet == 0 && !IsOut)
        {
            (_failed, _keyword, _detail) = (node, keyword, detail);
        }

        return false;
    }

    /// <summary>The item of an array that what is broken is in. Always false.</summary>
    internal bool FailAt(int item)
    {
        if (Quiet == 0 && !IsOut)
        {
            _path.Add($"[{item}]");
        }

        return false;
    }

    /// <summary>The property of an object that what is broken is in. Always false.</summary>
    internal bool FailAt(BlittableProperty property)
    {
        if (Quiet == 0 && !IsOut)
        {
            _path.Add("." + property.GetName());
        }

        return false;
    }

    /// <summary>Ends the check, undecided. Always false.</summary>
    internal bool FailFinally(SchemaNode node, string pattern)
    {
        IsOut = true;
        _path.Clear();
        (_failed, _keyword, _detail) = (node, pattern.Length == 0 ? "limit" : "pattern", pattern);
        return false;
    }

    internal SchemaViolation ToViolation()
    {
        _path.Reverse();
        string path = string.Concat(_path);
        return new SchemaViolation(
            path.StartsWith('.') ? path[1..] : path, _keyword, _failed!.Place,
            IsOut ? SchemaReasons.OfLimit(_detail) : SchemaReasons.Of(_failed, _keyword, _detail));
    }
}
