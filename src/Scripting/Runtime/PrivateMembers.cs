using Raven.Scripting.Syntax;

namespace Raven.Scripting.Runtime;

/// <summary>The name <c>#x</c> of one evaluation of a class: another evaluation makes another name.</summary>
internal sealed class PrivateName(string text, PrivateKind kind) : HeapValue(ValueKind.Empty)
{
    /// <summary>The text with its hash sign.</summary>
    internal string Text => text;

    internal PrivateKind Role => kind;

    /// <summary>The method, or the accessor, that all objects of the class have.</summary>
    internal JsValue Shared { get; set; } = JsValue.Undefined;
}

/// <summary>
/// The members of an object under private names. They are no properties: no key lists them, and freezing does not hold
/// them. Access sites remember the place of the last hit, as objects of one class have theirs in one order.
/// </summary>
internal sealed class PrivateMembers
{
    private const int CountAtFirst = 4;
    private const int NamesPerStep = 16;

    private PrivateName[] _names = new PrivateName[CountAtFirst];
    private JsValue[] _values = new JsValue[CountAtFirst];
    private int _count;

    /// <summary>Gives a member to an object that has none of this name.</summary>
    internal static void Add(Run run, JsObject target, PrivateName name, JsValue value)
    {
        if ((target.Flags & ObjectFlags.Immutable) != 0)
        {
            throw run.TypeError($"Cannot define private member {name.Text} on a built-in object");
        }

        PrivateMembers? members = target.Privates;
        if (members is null)
        {
            run.ChargeBytes(200);
            target.Privates = members = new PrivateMembers();
        }

        if (members.Find(run, name) >= 0)
        {
            throw run.TypeError($"Cannot initialize {name.Text} twice on the same object");
        }

        if (members._count == members._names.Length)
        {
            run.ChargeBytes(24L * members._count);
            Array.Resize(ref members._names, members._count * 2);
            Array.Resize(ref members._values, members._count * 2);
        }

        (members._names[members._count], members._values[members._count]) = (name, value);
        members._count++;
    }

    /// <summary>Whether a value is an object of the class that declares the name.</summary>
    internal static bool Has(Run run, JsValue holder, PrivateName name) =>
        holder.IsObject && holder.Object.Privates is { } members && members.Find(run, name) >= 0;

    internal static JsValue Get(Run run, JsValue holder, PrivateName name, ref int hint)
    {
        if (!TryFind(run, holder, name, ref hint, out PrivateMembers members, out int at))
        {
            throw Missing(run, holder, name, "read", "from");
        }

        JsValue value = members._values[at];
        return !value.IsAccessor ? value
            : ((Accessor)value.Cell!).Getter is JsFunction getter ? getter.Call(run, holder, [])
            : throw run.TypeError($"'{name.Text}' was defined without a getter");
    }

    internal static void Set(Run run, JsValue holder, PrivateName name, JsValue value, ref int hint)
    {
        if (!TryFind(run, holder, name, ref hint, out PrivateMembers members, out int at))
        {
            throw Missing(run, holder, name, "write", "to");
        }

        if (name.Role == PrivateKind.Field)
        {
            members._values[at] = value;
            return;
        }

        if (name.Role == PrivateKind.Method)
        {
            throw run.TypeError($"Private method '{name.Text}' is not writable");
        }

        JsFunction setter = ((Accessor)members._values[at].Cell!).Setter as JsFunction
            ?? throw run.TypeError($"'{name.Text}' was defined without a setter");
        setter.Call(run, holder, [value]);
    }

    private static bool TryFind(
        Run run, JsValue holder, PrivateName name, ref int hint, out PrivateMembers members, out int at)
    {
        members = (holder.IsObject ? holder.Object.Privates : null)!;
        at = hint;
        if (members is null)
        {
            return false;
        }

        if ((uint)at < (uint)members._count && ReferenceEquals(members._names[at], name))
        {
            return true;
        }

        at = members.Find(run, name);
        hint = Math.Max(at, 0);
        return at >= 0;
    }

    private int Find(Run run, PrivateName name)
    {
        run.ChargeSteps(_count / NamesPerStep);
        return Array.IndexOf(_names, name, 0, _count);
    }

    private static ThrownException Missing(Run run, JsValue holder, PrivateName name, string verb, string word)
    {
        if (!holder.IsNullish)
        {
            return run.TypeError(
                $"Cannot {verb} private member {name.Text} {word} an object whose class did not declare it");
        }

        (string begin, string end) = verb == "read" ? ("read", "reading") : ("set", "setting");
        return run.TypeError($"Cannot {begin} properties of {Describe.Value(holder)} ({end} '{name.Text}')");
    }
}
