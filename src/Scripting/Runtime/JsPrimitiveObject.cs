namespace Raven.Scripting.Runtime;

/// <summary>
/// A boolean, number, string, symbol or BigInt as an object, as <c>new String(x)</c> and sloppy <c>this</c> make it.
/// </summary>
internal sealed class JsPrimitiveObject : JsObject
{
    internal JsPrimitiveObject(Run run, JsObject prototype, JsValue value)
        : base(prototype, value.Kind switch
        {
            ValueKind.Boolean => ObjectClass.Boolean,
            ValueKind.Number => ObjectClass.Number,
            ValueKind.String => ObjectClass.String,
            ValueKind.BigInt => ObjectClass.BigInt,
            _ => ObjectClass.Symbol,
        })
    {
        Value = value;
        Flags = value.IsString ? ObjectFlags.Exotic : ObjectFlags.None;
        run.ChargeBytes(80);
    }

    internal JsValue Value { get; }

    internal override bool TryGetOwn(Run run, object key, out Property property)
    {
        if (Value.IsString && key is string name)
        {
            if (name == "length")
            {
                property = new Property(new JsValue(Value.String.Length), PropertyFlags.None);
                return true;
            }

            if (PropertyKeys.TryIndex(name, out uint index) && index < Value.String.Length)
            {
                JsString character = JsString.Of(Value.String.Flat[(int)index]);
                property = new Property(new JsValue(character), PropertyFlags.Enumerable);
                return true;
            }
        }

        return base.TryGetOwn(run, key, out property);
    }

    internal override bool PutOwn(Run run, object key, JsValue value) =>
        !IsFixed(run, key) && base.PutOwn(run, key, value);

    internal override bool Define(Run run, object key, JsValue value, PropertyFlags flags) =>
        !IsFixed(run, key) && base.Define(run, key, value, flags);

    internal override bool Delete(Run run, object key) => !IsFixed(run, key) && base.Delete(run, key);

    internal override void AddOwnKeys(Run run, List<object> keys)
    {
        for (int i = 0; Value.IsString && i < Value.String.Length; i++)
        {
            run.ChargeBytes(32);
            keys.Add(PropertyKeys.OfIndex((uint)i));
        }

        if (Value.IsString)
        {
            keys.Add("length");
        }

        base.AddOwnKeys(run, keys);
    }

    private bool IsFixed(Run run, object key) =>
        Value.IsString && TryGetOwn(run, key, out Property property) && !property.Is(PropertyFlags.Configurable);
}
