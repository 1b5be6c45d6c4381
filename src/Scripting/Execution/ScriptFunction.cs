using Raven.Scripting.Runtime;


namespace Raven.Scripting.Execution;

/// <summary>A compiled function, shared by all closures over the same text. Immutable once compiled.</summary>
internal sealed class FunctionCode
{
    internal required string Name { get; init; }

    internal required Syntax.FunctionKind Kind { get; init; }

    internal required bool Strict { get; init; }

    internal required bool IsGenerator { get; init; }

    internal required int ParameterCount { get; init; }

    internal required int Length { get; init; }

    internal required string Source { get; init; }

    internal required int Start { get; init; }

    internal required int End { get; init; }

    internal int SlotCount { get; set; }

    internal int CapturedCount { get; set; }

    /// <summary>Keeps all arguments: there is a rest parameter or the name <c>arguments</c> is used.</summary>
    internal bool KeepsArguments { get; set; }

    /// <summary>Runs before the body: captured parameters, defaults, patterns, hoisted functions.</summary>
    internal Node[] Prologue { get; set; } = [];

    internal StatementNode[] Body { get; set; } = [];

    internal Node? Expression { get; set; }

    /// <summary>Fields of the class, run on each new object; set on constructors only.</summary>
    internal FieldNode[] Fields { get; set; } = [];

    /// <summary>For a whole script: the names that it uses and does not declare, each with its first offset.</summary>
    internal Dictionary<string, int>? Globals { get; init; }

    internal bool IsClassConstructor =>
        Kind is Syntax.FunctionKind.Constructor or Syntax.FunctionKind.DerivedConstructor;

    internal bool IsArrow => Kind == Syntax.FunctionKind.Arrow;

    /// <summary>Its arguments may be written directly into its frame.</summary>
    internal bool IsPlain => !IsGenerator && !KeepsArguments && !IsClassConstructor;

    internal bool MayConstruct => Kind == Syntax.FunctionKind.Normal && !IsGenerator || IsClassConstructor;
}

/// <summary>A closure.</summary>
internal sealed class ScriptFunction : JsFunction
{
    internal readonly FunctionCode Code;
    internal readonly HeapScope? Scope;

    /// <summary>this, and the target of new, of the code around an arrow function.</summary>
    internal JsValue OuterSelf;
    internal JsObject? OuterNewTarget;

    /// <summary>The object that holds the method, for super.</summary>
    internal JsObject? Home;

    /// <summary>
    /// The names of fields in the order of <see cref="FunctionCode.Fields"/>; behind them those of private methods and
    /// accessors.
    /// </summary>
    internal object?[] FieldKeys = [];

    /// <summary>The scope of the field initializers; only for a class's constructor.</summary>
    internal HeapScope? FieldScope;

    private bool _materialized;

    internal ScriptFunction(Run run, JsObject prototype, FunctionCode code, HeapScope? scope)
        : base(prototype)
    {
        run.ChargeBytes(168);
        Code = code;
        Scope = scope;
        Flags = ObjectFlags.Exotic;
    }

    internal override bool IsConstructor => Code.MayConstruct;

    internal override JsValue Call(Run run, JsValue self, ReadOnlySpan<JsValue> arguments)
    {
        if (Code.IsClassConstructor)
        {
            throw run.TypeError($"Class constructor {Code.Name} cannot be invoked without 'new'");
        }

        if (Code.IsGenerator)
        {
            return JsGenerator.Start(run, this, self, arguments);
        }

        Frame frame = run.RentFrame(Math.Max(Code.SlotCount, Code.ParameterCount));
        Bind(run, frame, arguments);
        return Run(run, frame, self);
    }

    /// <summary>Runs in a rented frame whose first slots hold the parameters; returns the frame.</summary>
    internal JsValue Run(Run run, Frame frame, JsValue self)
    {
        run.EnterCall();
        Prepare(run, frame, self);
        frame.NewTarget = Code.IsArrow ? OuterNewTarget : null;
        JsValue result = Execute(frame);
        run.LeaveCall();
        run.ReturnFrame();
        return result;
    }

    internal override JsValue Construct(Run run, ReadOnlySpan<JsValue> arguments, JsObject newTarget)
    {
        if (!Code.MayConstruct)
        {
            throw run.TypeError($"{Code.Name} is not a constructor");
        }

        run.EnterCall();
        Frame frame = run.RentFrame(Math.Max(Code.SlotCount, Code.ParameterCount));
        Bind(run, frame, arguments);
        bool derived = Code.Kind == Syntax.FunctionKind.DerivedConstructor;
        JsValue self = JsValue.Empty;
        if (!derived)
        {
            run.ChargeBytes(88);
            self = new JsValue(new JsObject(newTarget.Get(run, "prototype").AsObject ?? run.Realm.ObjectPrototype));
        }

        Prepare(run, frame, self);
        frame.NewTarget = newTarget;
        if (!derived)
        {
            InitializeFields(frame, self.Object);
        }

        JsValue result = Execute(frame);
        self = frame.Self;
        run.LeaveCall();
        run.ReturnFrame();
        if (result.IsObject)
        {
            return result;
        }

        if (derived && !result.IsUndefined)
        {
            throw run.TypeError("Derived constructors may only return object or undefined");
        }

        return self.IsEmpty
            ? throw run.ReferenceError("Must call super constructor in derived class before returning from it")
            : self;
    }

    /// <summary>Gives a new object the private methods and the fields of its class.</summary>
    internal void InitializeFields(Frame frame, JsObject target)
    {
        for (int i = Code.Fields.Length; i < FieldKeys.Length; i++)
        {
            PrivateName name = (PrivateName)FieldKeys[i]!;
            PrivateMembers.Add(frame.Run, target, name, name.Shared);
        }

        for (int i = 0; i < Code.Fields.Length; i++)
        {
            Code.Fields[i].Define(frame, this, target, FieldKeys[i]);
        }
    }

    /// <summary>Puts arguments into the slots of the parameters.</summary>
    internal void Bind(Run run, Frame frame, ReadOnlySpan<JsValue> arguments)
    {
        int count = Math.Min(arguments.Length, Code.ParameterCount);
        arguments[..count].CopyTo(frame.Locals);
        frame.Locals.AsSpan(count, Math.Max(Code.SlotCount, Code.ParameterCount) - count).Fill(JsValue.Undefined);
        if (Code.KeepsArguments)
        {
            run.ChargeBytes(24 + (16 * arguments.Length));
            frame.Arguments = arguments.ToArray();
        }
    }

    internal void Prepare(Run run, Frame frame, JsValue self)
    {
        frame.Function = this;
        frame.Scope = Scope;
        if (Code.IsArrow)
        {
            frame.Self = OuterSelf;
        }
        else if (Code.Strict || self.IsObject || self.IsEmpty)
        {
            frame.Self = self;
        }
        else
        {
            frame.Self = self.IsNullish ? run.Realm.GlobalThis(run) : new JsValue(Operations.ToObject(run, self));
        }
    }

    /// <summary>Runs prologue and body in a prepared frame.</summary>
    internal JsValue Execute(Frame frame)
    {
        FunctionCode code = Code;
        if (code.CapturedCount > 0)
        {
            frame.PushScope(code.CapturedCount);
            frame.Scope!.Slots.AsSpan().Fill(JsValue.Undefined);
        }

        foreach (Node node in code.Prologue)
        {
            node.Evaluate(frame);
        }

        if (code.Expression is { } expression)
        {
            return expression.Evaluate(frame);
        }

        foreach (StatementNode statement in code.Body)
        {
            Completion completion = statement.Execute(frame);
            if (completion != Completion.Normal)
            {
                return frame.Result;
            }
        }

        return JsValue.Undefined;
    }

    internal override bool TryGetOwn(Run run, object key, out Property property)
    {
        Materialize(run);
        return base.TryGetOwn(run, key, out property);
    }

    internal override bool PutOwn(Run run, object key, JsValue value)
    {
        Materialize(run);
        return base.PutOwn(run, key, value);
    }

    internal override bool Define(Run run, object key, JsValue value, PropertyFlags flags)
    {
        Materialize(run);
        return base.Define(run, key, value, flags);
    }

    internal override bool Delete(Run run, object key)
    {
        Materialize(run);
        return base.Delete(run, key);
    }

    internal override void AddOwnKeys(Run run, List<object> keys)
    {
        Materialize(run);
        base.AddOwnKeys(run, keys);
    }

    internal override void Restrict(Run run, bool frozen)
    {
        Materialize(run);
        base.Restrict(run, frozen);
    }

    /// <summary>Most closures are called and dropped: their properties are made on first access.</summary>
    private void Materialize(Run run)
    {
        if (_materialized)
        {
            return;
        }

        _materialized = true;
        base.Define(run, "length", new JsValue(Code.Length), PropertyFlags.Configurable);
        base.Define(run, "name", JsValue.Of(Code.Name), PropertyFlags.Configurable);
        if (Code.IsGenerator)
        {
            run.ChargeBytes(88);
            JsObject shared = new(run.Realm.GeneratorPrototype);
            base.Define(run, "prototype", new JsValue(shared), PropertyFlags.Writable);
        }
        else if (Code.MayConstruct && !Code.IsClassConstructor)
        {
            JsObject shared = run.NewObject();
            shared.Define(run, "constructor", new JsValue(this), PropertyFlags.Hidden);
            base.Define(run, "prototype", new JsValue(shared), PropertyFlags.Writable);
        }
    }

    /// <summary>Defines the prototype of a class.</summary>
    internal void SetClassPrototype(Run run, JsObject prototype)
    {
        Materialize(run);
        base.Define(run, "prototype", new JsValue(prototype), PropertyFlags.None);
        prototype.Define(run, "constructor", new JsValue(this), PropertyFlags.Hidden);
    }
}
