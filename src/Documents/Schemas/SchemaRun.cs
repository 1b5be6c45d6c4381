using System.Buffers;
using System.Runtime.CompilerServices;
using Raven.Blittable.Format;
using Raven.Blittable.Reading;
using Raven.Scripting;

namespace Raven.Documents.Schemas;

//   SCHEMA-1  A check ends: parts for the same value cannot lead to themselves (SchemaLoops), it takes at most StepsMax
//             steps, and it stops before the stack does. What is not decided by then breaks the schema.

/// <summary>Checks documents against schemas, one at a time. Its buffers are used again. Not thread-safe.</summary>
internal sealed class SchemaRun
{
    /// <summary>The most steps for one document: a step looks at one value with one part of a schema.</summary>
    internal const int StepsMax = 2_000_000;

    [ThreadStatic]
    private static SchemaRun? _ofThread;

    private const int BytesPerStep = 64;

    private readonly SchemaBuffers _buffers = new();
    private readonly SchemaTrail _trail = new();
    private readonly List<SchemaResource> _scope = [];
    private int _steps;

    /// <summary>The one of this thread.</summary>
    internal static SchemaRun OfThread => _ofThread ??= new SchemaRun();

    /// <summary>What of a document breaks a schema; null if nothing does.</summary>
    internal SchemaViolation? Check(SchemaNode schema, BlittableObject document)
    {
        _steps = 0;
        _trail.Clear();
        _scope.Clear();
        return Check(schema, SchemaInstance.OfDocument(document), default) ? null : _trail.ToViolation();
    }

    /// <summary>Checks a value.</summary>
    /// <param name="node">The schema.</param>
    /// <param name="value">The value.</param>
    /// <param name="seen">For each property or item, not 0 once a part of a schema has looked at it; empty if that is
    /// not asked.</param>
    private bool Check(SchemaNode node, in SchemaInstance value, Span<byte> seen)
    {
        if (_trail.IsOut || ++_steps > StepsMax || !RuntimeHelpers.TryEnsureSufficientExecutionStack())
        {
            return _trail.IsOut ? false : _trail.FailFinally(node, "");
        }

        if (node.Always is { } always)
        {
            return always || _trail.Fail(node, "false");
        }

        bool isEntered = _scope.Count == 0 || _scope[^1] != node.Resource;
        if (isEntered)
        {
            _scope.Add(node.Resource);
        }

        bool isGood = node.HasUnevaluated && value.Count > 0
            ? CheckWithRest(node, in value, seen)
            : CheckAll(node, in value, seen);
        if (isEntered)
        {
            _scope.RemoveAt(_scope.Count - 1);
        }

        return isGood;
    }

    private bool CheckAll(SchemaNode node, in SchemaInstance value, Span<byte> seen)
    {
        if ((node.Types != SchemaTypes.Any && !SchemaLeaves.HasType(node.Types, in value) && !_trail.Fail(node, "type"))
            || (node.Enum is not null && !IsOneOf(node.Enum, in value) && !_trail.Fail(node, "enum")))
        {
            return false;
        }

        bool isGood = value.Kind switch
        {
            ValueKind.String => !node.HasTextRules || CheckText(node, in value),
            ValueKind.Integer or ValueKind.Number => !node.HasNumberRules
                || SchemaLeaves.BrokenBy(node, value.Value) is not { } keyword || _trail.Fail(node, keyword),
            ValueKind.Array => node.Items is null || CheckItems(node, node.Items, value.Value.AsArray(), seen),
            ValueKind.Object => node.Members is null || CheckMembers(node, node.Members, in value, seen),
            _ => true,
        };
        return isGood && (!node.HasParts || CheckParts(node, in value, seen));
    }

    /// <summary>Checks what other parts have not looked at, too.</summary>
    private bool CheckWithRest(SchemaNode node, in SchemaInstance value, Span<byte> seen)
    {
        int count = value.Count;
        byte[] rented = ArrayPool<byte>.Shared.Rent(count);
        Span<byte> own = rented.AsSpan(0, count);
        own.Clear();
        bool isGood = CheckAll(node, in value, own) && CheckRest(node, in value, own);
        for (int i = 0; isGood && i < seen.Length; i++)
        {
            seen[i] |= own[i];
        }

        ArrayPool<byte>.Shared.Return(rented);
        return isGood;
    }

    private bool CheckRest(SchemaNode node, in SchemaInstance value, Span<byte> seen)
    {
        if (value.Value.TryGetArray(out BlittableArray items))
        {
            SchemaNode? rest = node.Items?.Unevaluated;
            for (int i = 0; rest is not null && i < items.Count; i++)
            {
                if (seen[i] == 0 && !Check(rest, SchemaInstance.Of(items[i]), default))
                {
                    return _trail.FailAt(i);
                }

                seen[i] = 1;
            }

            return true;
        }

        SchemaNode? others = node.Members?.Unevaluated;
        BlittableObject members = value.Value.AsObject();
        for (int i = 0; others is not null && i < members.Count; i++)
        {
            if (i != value.Hidden && seen[i] == 0
                && !Check(others, SchemaInstance.Of(members.GetProperty(i).Value), default))
            {
                return _trail.FailAt(members.GetProperty(i));
            }

            seen[i] = 1;
        }

        return true;
    }

    /// <summary>Checks the parts for the same value.</summary>
    private bool CheckParts(SchemaNode node, in SchemaInstance value, Span<byte> seen)
    {
        if (node.Ref is not null && !Check(TargetOf(node), in value, seen))
        {
            return false;
        }

        foreach (SchemaNode one in node.AllOf)
        {
            if (!Check(one, in value, seen))
            {
                return false;
            }
        }

        if (node.AnyOf.Length > 0 && !CheckAnyOf(node, in value, seen))
        {
            return false;
        }

        if (node.OneOf.Length > 0 && !CheckOneOf(node, in value, seen))
        {
            return false;
        }

        if (node.Not is not null && (Try(node.Not, in value, default) || _trail.IsOut))
        {
            return _trail.IsOut ? false : _trail.Fail(node, "not");
        }

        if (node.If is not null)
        {
            SchemaNode? next = Try(node.If, in value, seen) ? node.Then : node.Else;
            return !_trail.IsOut && (next is null || Check(next, in value, seen));
        }

        return true;
    }

    private bool CheckAnyOf(SchemaNode node, in SchemaInstance value, Span<byte> seen)
    {
        bool isAny = false;
        foreach (SchemaNode one in node.AnyOf)
        {
            // All of them are tried if it is asked what they look at.
            if ((!isAny || !seen.IsEmpty) && Try(one, in value, seen))
            {
                isAny = true;
            }
        }

        return !_trail.IsOut && (isAny || _trail.Fail(node, "anyOf"));
    }

    private bool CheckOneOf(SchemaNode node, in SchemaInstance value, Span<byte> seen)
    {
        int count = 0;
        foreach (SchemaNode one in node.OneOf)
        {
            count += Try(one, in value, seen) ? 1 : 0;
        }

        return !_trail.IsOut && (count == 1 || _trail.Fail(node, "oneOf", count == 0 ? "none" : "more than one"));
    }

    /// <summary>Checks a value against a part that it may break. What that looks at counts only if it does
    /// not.</summary>
    private bool Try(SchemaNode node, in SchemaInstance value, Span<byte> seen)
    {
        _trail.Quiet++;
        bool isGood;
        if (seen.IsEmpty)
        {
            isGood = Check(node, in value, default);
        }
        else
        {
            byte[] rented = ArrayPool<byte>.Shared.Rent(seen.Length);
            Span<byte> own = rented.AsSpan(0, seen.Length);
            own.Clear();
            isGood = Check(node, in value, own);
            for (int i = 0; isGood && i < own.Length; i++)
            {
                seen[i] |= own[i];
            }

            ArrayPool<byte>.Shared.Return(rented);
        }

        _trail.Quiet--;
        return isGood;
    }

    /// <summary>Where a reference leads: a dynamic one to the outermost resource that has its name.</summary>
    private SchemaNode TargetOf(SchemaNode node)
    {
        for (int i = 0; node.DynamicName is not null && i < _scope.Count; i++)
        {
            if (_scope[i].Dynamic.TryGetValue(node.DynamicName, out SchemaNode? target))
            {
                return target;
            }
        }

        return node.Ref!;
    }

    private bool CheckText(SchemaNode node, in SchemaInstance value)
    {
        ReadOnlySpan<byte> utf8 = _buffers.TextOf(in value);
        _steps += utf8.Length / BytesPerStep;
        if (SchemaLeaves.BrokenBy(node, utf8) is { } keyword)
        {
            return _trail.Fail(node, keyword);
        }

        return node.Pattern is null || Matches(node, node.Pattern, utf8)
            || (!_trail.IsOut && _trail.Fail(node, "pattern"));
    }

    private bool IsOneOf(byte[][] values, in SchemaInstance value)
    {
        bool isOne = _buffers.IsOneOf(values, in value, out int bytes);
        _steps += bytes / BytesPerStep;
        return isOne;
    }

    private bool Matches(SchemaNode node, TextPattern pattern, ReadOnlySpan<byte> utf8)
    {
        _steps += 1 + (utf8.Length / BytesPerStep);
        return _buffers.Matches(pattern, utf8) ?? _trail.FailFinally(node, pattern.Source);
    }

    private bool CheckItems(SchemaNode node, SchemaItems rules, BlittableArray items, Span<byte> seen)
    {
        if (items.Count < rules.Min || items.Count > rules.Max)
        {
            return _trail.Fail(node, items.Count < rules.Min ? "minItems" : "maxItems");
        }

        _steps += rules.AreUnique ? items.Count : 0;
        if (rules.AreUnique && items.Count > 1 && !_buffers.AreUnique(items))
        {
            return _trail.Fail(node, "uniqueItems");
        }

        for (int i = 0; i < items.Count; i++)
        {
            SchemaNode? one = i < rules.Prefix.Length ? rules.Prefix[i] : rules.Rest;
            if (one is null)
            {
                break;
            }

            if (!Check(one, SchemaInstance.Of(items[i]), default))
            {
                return _trail.FailAt(i);
            }

            if (!seen.IsEmpty)
            {
                seen[i] = 1;
            }
        }

        return rules.Contains is null || CheckContains(node, rules, items, seen);
    }

    private bool CheckContains(SchemaNode node, SchemaItems rules, BlittableArray items, Span<byte> seen)
    {
        int found = 0;
        for (int i = 0; i < items.Count && !_trail.IsOut; i++)
        {
            if (Try(rules.Contains!, SchemaInstance.Of(items[i]), default))
            {
                found++;
                if (!seen.IsEmpty)
                {
                    seen[i] = 1;
                }
            }
        }

        return !_trail.IsOut && ((found >= rules.MinContains && found <= rules.MaxContains)
            || _trail.Fail(node, found < rules.MinContains ? "contains" : "maxContains"));
    }

    /// <summary>Checks an object. Its properties are in the order of their names, as those of the schema are.</summary>
    private bool CheckMembers(SchemaNode node, SchemaMembers rules, in SchemaInstance value, Span<byte> seen)
    {
        BlittableObject members = value.Value.AsObject();
        int count = members.Count - (value.Hidden >= 0 ? 1 : 0);
        if (count < rules.Min || count > rules.Max)
        {
            return _trail.Fail(node, count < rules.Min ? "minProperties" : "maxProperties");
        }

        _steps += (members.Count + rules.Properties.Length + rules.DependentRequired.Length) / 16;
        int required = 0;
        int known = 0;
        for (int i = 0; i < members.Count; i++)
        {
            if (i == value.Hidden)
            {
                continue;
            }

            BlittableProperty property = members.GetProperty(i);
            ReadOnlySpan<byte> name = property.Name;
            if (required < rules.Required.Length)
            {
                int order = rules.Required[required].AsSpan().SequenceCompareTo(name);
                if (order < 0)
                {
                    break;
                }

                required += order == 0 ? 1 : 0;
            }

            while (known < rules.Properties.Length && rules.Properties[known].Name.AsSpan().SequenceCompareTo(name) < 0)
            {
                known++;
            }

            SchemaNode? ofName = known < rules.Properties.Length
                && rules.Properties[known].Name.AsSpan().SequenceEqual(name) ? rules.Properties[known].Node : null;
            if (!CheckMember(node, rules, property, ofName, out bool isSeen))
            {
                return false;
            }

            if (isSeen && !seen.IsEmpty)
            {
                seen[i] = 1;
            }
        }

        if (required < rules.Required.Length)
        {
            return _trail.Fail(node, "required", System.Text.Encoding.UTF8.GetString(rules.Required[required]));
        }

        return CheckDependent(node, rules, in value, seen);
    }

    private bool CheckMember(
        SchemaNode node, SchemaMembers rules, BlittableProperty property, SchemaNode? ofName, out bool isSeen)
    {
        isSeen = ofName is not null;
        if (ofName is not null && !Check(ofName, SchemaInstance.Of(property.Value), default))
        {
            return _trail.FailAt(property);
        }

        foreach ((TextPattern pattern, SchemaNode ofPattern) in rules.Patterns)
        {
            if (Matches(node, pattern, property.Name))
            {
                isSeen = true;
                if (!Check(ofPattern, SchemaInstance.Of(property.Value), default))
                {
                    return _trail.FailAt(property);
                }
            }

            if (_trail.IsOut)
            {
                return false;
            }
        }

        if (rules.Names is not null && !CheckName(rules.Names, property))
        {
            return false;
        }

        if (isSeen || rules.Additional is null)
        {
            return true;
        }

        isSeen = true;
        if (rules.Additional.Always == false)
        {
            _trail.FailAt(property);
            return _trail.Fail(node, "additionalProperties");
        }

        return Check(rules.Additional, SchemaInstance.Of(property.Value), default) || _trail.FailAt(property);
    }

    private bool CheckName(SchemaNode names, BlittableProperty property)
    {
        _buffers.SetName(property.Name);
        return Check(names, SchemaInstance.Name, default) || _trail.FailAt(property);
    }

    private bool CheckDependent(SchemaNode node, SchemaMembers rules, in SchemaInstance value, Span<byte> seen)
    {
        BlittableObject members = value.Value.AsObject();
        foreach ((byte[] name, byte[][] others) in rules.DependentRequired)
        {
            for (int i = 0; i < others.Length && Has(members, value.Hidden, name); i++)
            {
                if (!Has(members, value.Hidden, others[i]))
                {
                    return _trail.Fail(node, "dependentRequired", System.Text.Encoding.UTF8.GetString(others[i]));
                }
            }
        }

        foreach ((byte[] name, SchemaNode schema) in rules.DependentSchemas)
        {
            if (Has(members, value.Hidden, name) && !Check(schema, in value, seen))
            {
                return false;
            }
        }

        return true;
    }

    private static bool Has(BlittableObject members, int hidden, byte[] name)
    {
        int index = members.IndexOf(name);
        return index >= 0 && index != hidden;
    }
}
