using System.Runtime.CompilerServices;
using Raven.Scripting.Runtime;

namespace Raven.Scripting.Execution;

/// <summary>Evaluates arguments and calls; shared by all kinds of calls.</summary>
internal sealed class ArgumentList(Node[] nodes, bool hasSpread)
{
    internal JsValue Call(Frame frame, JsFunction function, JsValue self, int position)
    {
        Run run = frame.Run;
        if (hasSpread)
        {
            JsArray spread = Spread(frame);
            run.Position = position;
            return function.Call(run, self, spread.Items);
        }

        if (function is ScriptFunction script && script.Code.IsPlain)
        {
            return CallPlain(frame, script, self, position);
        }

        Frame buffer = run.RentFrame(nodes.Length);
        Fill(frame, buffer);
        run.Position = position;
        run.Step();
        JsValue result = function.Call(run, self, buffer.Locals.AsSpan(0, nodes.Length));
        run.ReturnFrame();
        return result;
    }

    internal JsValue Construct(Frame frame, JsFunction function, JsObject newTarget, int position)
    {
        Run run = frame.Run;
        if (hasSpread)
        {
            JsArray spread = Spread(frame);
            run.Position = position;
            return function.Construct(run, spread.Items, newTarget);
        }

        Frame buffer = run.RentFrame(nodes.Length);
        Fill(frame, buffer);
        run.Position = position;
        run.Step();
        JsValue result = function.Construct(run, buffer.Locals.AsSpan(0, nodes.Length), newTarget);
        run.ReturnFrame();
        return result;
    }

    /// <summary>Arguments are written directly into the frame of the call: nothing is copied or allocated.</summary>
    private JsValue CallPlain(Frame frame, ScriptFunction function, JsValue self, int position)
    {
        Run run = frame.Run;
        FunctionCode code = function.Code;
        int slots = Math.Max(code.SlotCount, code.ParameterCount);
        Frame callee = run.RentFrame(slots);
        Node[] arguments = nodes;
        int parameters = code.ParameterCount;
        for (int i = 0; i < arguments.Length; i++)
        {
            JsValue value = arguments[i].Evaluate(frame);
            if (i < parameters)
            {
                callee.Local(i) = value;
            }
        }

        for (int i = Math.Min(arguments.Length, parameters); i < slots; i++)
        {
            callee.Local(i) = JsValue.Undefined;
        }

        run.Position = position;
        return function.Run(run, callee, self);
    }

    private void Fill(Frame frame, Frame buffer)
    {
        for (int i = 0; i < nodes.Length; i++)
        {
            buffer.Locals[i] = nodes[i].Evaluate(frame);
        }
    }

    private JsArray Spread(Frame frame)
    {
        JsArray values = frame.Run.NewArray(nodes.Length);
        foreach (Node node in nodes)
        {
            if (node is SpreadNode spread)
            {
                spread.AddTo(frame, values);
            }
            else
            {
                values.Add(frame.Run, node.Evaluate(frame));
            }
        }

        return values;
    }
}

/// <summary>...operand, inside of arguments or an array.</summary>
internal sealed class SpreadNode(Node operand) : Node
{
    internal override JsValue Evaluate(Frame frame) => operand.Evaluate(frame);

    internal void AddTo(Frame frame, JsArray target)
    {
        JsValue source = operand.Evaluate(frame);
        Run run = frame.Run;
        run.Position = Position;
        ValueIterator iterator = ValueIterator.Open(run, source);
        while (iterator.MoveNext(run, out JsValue value))
        {
            run.Step();
            target.Add(run, value);
        }
    }
}

/// <summary>callee(arguments)</summary>
internal sealed class CallNode(Node callee, ArgumentList arguments, string text) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue value = callee.Evaluate(frame);
        JsFunction function = value.AsFunction ?? throw Calls.NotAFunction(frame, text, Position);
        return arguments.Call(frame, function, JsValue.Undefined, Position);
    }
}

/// <summary>target.name(arguments)</summary>
internal sealed class CallMemberNode(MemberNode member, ArgumentList arguments, string text) : Node
{
    private sealed record Found(JsObject Prototype, JsFunction Method);

    private Found? _found;

    internal override JsValue Evaluate(Frame frame)
    {
        JsValue self = member.Target.Evaluate(frame);
        JsFunction? function = Find(frame, self);
        return function is not null ? arguments.Call(frame, function, self, Position)
            : Calls.OfMissing(frame, self, text, Position);
    }

    /// <summary>The realm never changes: a function found once in its prototypes is found again.</summary>
    private JsFunction? Find(Frame frame, JsValue self)
    {
        JsObject? prototype = null;
        if (self.IsString)
        {
            prototype = frame.Run.Realm.StringPrototype;
        }
        else if (self.IsObject && self.Object.Class == ObjectClass.Array && self.Object.HasNoMappedProperty)
        {
            prototype = self.Object.Prototype;
        }

        if (prototype is not null)
        {
            Found? found = _found;
            if (found is not null && ReferenceEquals(found.Prototype, prototype))
            {
                return found.Method;
            }
        }

        JsFunction? function = member.Read(frame, self).AsFunction;
        if (function is NativeFunction && prototype is not null && (prototype.Flags & ObjectFlags.Immutable) != 0)
        {
            _found = new Found(prototype, function);
        }

        return function;
    }
}

/// <summary>target[key](arguments)</summary>
internal sealed class CallIndexNode(IndexNode member, ArgumentList arguments, string text) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue self = member.Target.Evaluate(frame);
        JsValue key = member.Key.Evaluate(frame);
        JsFunction? function = member.Read(frame, self, key).AsFunction;
        return function is not null ? arguments.Call(frame, function, self, Position)
            : Calls.OfMissing(frame, self, text, Position);
    }
}

/// <summary>super.name(arguments), and a call whose object a generator has kept.</summary>
internal sealed class CallWithThisNode(Node callee, Node self, ArgumentList arguments, string text) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsFunction function = callee.Evaluate(frame).AsFunction ?? throw Calls.NotAFunction(frame, text, Position);
        return arguments.Call(frame, function, self.Evaluate(frame), Position);
    }
}

internal sealed class NewNode(Node callee, ArgumentList arguments, string text) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue value = callee.Evaluate(frame);
        if (value.AsFunction is not { IsConstructor: true } function)
        {
            frame.Run.Position = Position;
            throw frame.Run.TypeError($"{text} is not a constructor");
        }

        return arguments.Construct(frame, function, function, Position);
    }
}

/// <summary>super(arguments)</summary>
internal sealed class SuperCallNode(ArgumentList arguments) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        Run run = frame.Run;
        ScriptFunction constructor = FrameOwners.FunctionOf(frame);
        if (constructor.Prototype is not JsFunction { IsConstructor: true } parent)
        {
            run.Position = Position;
            throw run.TypeError("Super constructor is not a constructor");
        }

        JsValue self = arguments.Construct(frame, parent, frame.NewTarget!, Position);
        if (!frame.Self.IsEmpty)
        {
            throw run.ReferenceError("Super constructor may only be called once");
        }

        frame.Self = self;
        constructor.InitializeFields(frame, self.Object);
        return self;
    }
}

/// <summary>A link of an optional chain: passes a missing object's undefined to the end of the chain.</summary>
internal sealed class OptionalChainNode(Node body) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue value = body.Evaluate(frame);
        return value.IsEmpty ? JsValue.Undefined : value;
    }
}

/// <summary>
/// One step of an optional chain: the property or call of what comes before, unless that is missing (an empty value),
/// or this step is optional and what comes before is null or undefined. It keeps the object for a call that follows.
/// </summary>
internal sealed class ChainNode(Node before, ChainKind kind, Node? key, ArgumentList? arguments, bool optional,
    string text)
    : Node
{
    private int _hint;

    internal override JsValue Evaluate(Frame frame) => Evaluate(frame, out _);

    private JsValue Evaluate(Frame frame, out JsValue self)
    {
        JsValue callSelf = JsValue.Undefined;
        JsValue value = before is ChainNode chain
            ? chain.Evaluate(frame, out callSelf) : EvaluateStart(frame, out callSelf);
        self = value;
        if (value.IsEmpty || (optional && value.IsNullish))
        {
            return JsValue.Empty;
        }

        Run run = frame.Run;
        run.Position = Position;
        if (kind == ChainKind.Call)
        {
            JsFunction function = value.AsFunction ?? throw Calls.NotAFunction(frame, text, Position);
            return arguments!.Call(frame, function, callSelf, Position);
        }

        if (value.IsNullish)
        {
            if (run.ReadsThroughMissing)
            {
                return JsValue.Undefined;
            }

            string word = value.IsNull ? "null" : "undefined";
            throw run.TypeError($"Cannot read properties of {word} (reading '{text}')");
        }

        JsValue index = key!.Evaluate(frame);
        return kind == ChainKind.Private ? PrivateMembers.Get(run, value, (PrivateName)index.Cell!, ref _hint)
            : run.GetProperty(value, PropertyKeys.Of(run, index));
    }

    private JsValue EvaluateStart(Frame frame, out JsValue self)
    {
        switch (before)
        {
            case MemberNode member when kind == ChainKind.Call:
                self = member.Target.Evaluate(frame);
                return member.Read(frame, self);
            case IndexNode index when kind == ChainKind.Call:
                self = index.Target.Evaluate(frame);
                return index.Read(frame, self, index.Key.Evaluate(frame));
            case PrivateMemberNode member when kind == ChainKind.Call:
                self = member.Target.Evaluate(frame);
                return member.Read(frame, self);
            default:
                self = JsValue.Undefined;
                return before.Evaluate(frame);
        }
    }

    /// <summary>The value and the object that a call of it has as this: for (a?.b)().</summary>
    internal JsValue EvaluateForCall(Frame frame, out JsValue self)
    {
        JsValue value = Evaluate(frame, out self);
        return value.IsEmpty ? JsValue.Undefined : value;
    }
}

internal enum ChainKind : byte
{
    Member, Private, Call,
}

/// <summary>(a?.b)(arguments)</summary>
internal sealed class CallChainNode(ChainNode chain, ArgumentList arguments, string text) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        JsValue value = chain.EvaluateForCall(frame, out JsValue self);
        JsFunction function = value.AsFunction ?? throw Calls.NotAFunction(frame, text, Position);
        return arguments.Call(frame, function, self, Position);
    }
}

internal static class Calls
{
    /// <summary>
    /// The result of calling a member that is no function: undefined if there is no object and the run reads through
    /// missing values; otherwise an error.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static JsValue OfMissing(Frame frame, JsValue self, string text, int position) =>
        self.IsNullish && frame.Run.ReadsThroughMissing ? JsValue.Undefined : throw NotAFunction(frame, text, position);

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static ThrownException NotAFunction(Frame frame, string text, int position)
    {
        frame.Run.Position = position;
        return frame.Run.TypeError($"{text} is not a function");
    }
}
