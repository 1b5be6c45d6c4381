using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Raven.Scripting.Runtime;

/// <summary>How a statement ended.</summary>
internal enum Completion : byte
{
    Normal,

    /// <summary>
    /// To the statement in <see cref="Frame.Target"/>, or the nearest loop or switch if that is null.
    /// </summary>
    Break,
    Continue,

    /// <summary>With the value in <see cref="Frame.Result"/>.</summary>
    Return,

    /// <summary>A generator returns <see cref="Frame.Result"/> and waits.</summary>
    Yield,
}

/// <summary>Values that inner functions capture: one scope for each entry of a block that has such values.</summary>
internal sealed class HeapScope(HeapScope? parent, int count) : HeapValue(ValueKind.Empty)
{
    internal readonly HeapScope? Parent = parent;
    internal readonly JsValue[] Slots = new JsValue[count];
}

/// <summary>
/// One call: parameters and locals in slots. Frames are reused by later calls, except those of generators.
/// </summary>
internal sealed class Frame(Run run)
{
    internal readonly Run Run = run;
    internal JsValue[] Locals = [];
    internal HeapScope? Scope;
    internal JsValue Self;
    internal JsValue Result;
    /// <summary>The function of the script that runs.</summary>
    internal JsFunction Function = null!;
    internal JsObject? NewTarget;

    /// <summary>The target of a labelled break or continue.</summary>
    internal LabelTarget? Target;

    /// <summary>All arguments, kept only for functions that need more than their parameters.</summary>
    internal JsValue[] Arguments = [];

    /// <summary>The generator whose body runs here.</summary>
    internal JsObject? Generator;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref JsValue Local(int slot)
    {
        System.Diagnostics.Debug.Assert((uint)slot < (uint)Locals.Length, "The frame has a slot for every local.");
        return ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(Locals), slot);
    }

    /// <summary>The scope that many levels out.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal HeapScope ScopeAt(int hops)
    {
        HeapScope scope = Scope!;
        for (; hops > 0; hops--)
        {
            scope = scope.Parent!;
        }

        return scope;
    }

    internal void PushScope(int count)
    {
        Run.ChargeBytes(64 + (16 * count));
        HeapScope scope = new(Scope, count);
        Scope = scope;
    }
}

/// <summary>A label, known by identity.</summary>
internal sealed class LabelTarget;
