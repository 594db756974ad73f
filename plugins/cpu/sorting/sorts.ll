; Made of the C files of this folder by `python -m tools.native_ir`: not to be edited.
; clang version 22.1.8
; sources 5158d312199f36c36d3d853981e06cf52c9796dd4140a33d3c117746c0578c17

%struct.Pair = type { i64, i64 }

define void @sort_lines(ptr %0, i64 %1, i64 %2, i64 %3) nounwind {
  %5 = load ptr, ptr %0, align 8
  %6 = load i64, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %5, i64 8
  %8 = load i64, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %5, i64 16
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %5, i64 40
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %5, i64 56
  %14 = getelementptr inbounds i64, ptr %13, i64 %12
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %16 = getelementptr inbounds ptr, ptr %15, i64 %12
  %17 = getelementptr inbounds nuw i8, ptr %5, i64 32
  %18 = load i64, ptr %17, align 8
  %19 = icmp ne i64 %18, 0
  %20 = zext i1 %19 to i64
  %21 = add i64 %6, 7
  %22 = sdiv i64 %21, 8
  %23 = shl nsw i64 %22, 3
  %24 = getelementptr ptr, ptr %16, i64 %12
  %25 = getelementptr ptr, ptr %24, i64 %20
  %26 = load ptr, ptr %25, align 8
  %27 = shl i64 %3, 5
  %28 = mul i64 %27, %23
  %29 = getelementptr inbounds i8, ptr %26, i64 %28
  %30 = getelementptr inbounds nuw i8, ptr %5, i64 24
  %31 = load i64, ptr %30, align 8
  %32 = icmp ne i64 %31, 0
  %33 = sext i1 %32 to i64
  %34 = icmp slt i64 %1, %2
  br i1 %34, label %35, label %61

35:
  %36 = mul i64 %8, %6
  %37 = mul i64 %10, %8
  %38 = getelementptr inbounds i64, ptr %29, i64 %23
  %39 = shl i64 %22, 7
  %40 = getelementptr inbounds i8, ptr %29, i64 %39
  %41 = mul i64 %22, 192
  %42 = getelementptr inbounds i8, ptr %29, i64 %41
  %43 = getelementptr inbounds nuw i8, ptr %5, i64 48
  %44 = icmp slt i64 %10, 17
  %45 = icmp slt i64 %10, %6
  %46 = icmp sgt i64 %6, 0
  %47 = icmp sgt i64 %6, 32
  %48 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %49 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %50 = getelementptr inbounds nuw i8, ptr %14, i64 32
  %51 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %52 = getelementptr i64, ptr %38, i64 %10
  %53 = getelementptr i8, ptr %52, i64 -8
  %54 = add i64 %10, -1
  %55 = icmp sgt i64 %12, 0
  %56 = icmp sgt i64 %10, 0
  %57 = getelementptr i64, ptr %29, i64 %10
  %58 = getelementptr i8, ptr %57, i64 -8
  %59 = getelementptr i64, ptr %29, i64 %10
  %60 = getelementptr i8, ptr %59, i64 -8
  br label %62

61:
  ret void

62:
  %63 = phi i64 [ %1, %35 ], [ %832, %831 ]
  %64 = sdiv i64 %63, %8
  %65 = srem i64 %63, %8
  %66 = mul i64 %36, %64
  %67 = add i64 %66, %65
  %68 = mul i64 %37, %64
  %69 = add i64 %68, %65
  %70 = load i64, ptr %43, align 8
  %71 = icmp eq i64 %70, 1
  %72 = select i1 %71, i1 %44, i1 false
  %73 = select i1 %72, i1 %45, i1 false
  br i1 %73, label %75, label %74

74:
  br i1 %46, label %449, label %442

75:
  %76 = load i64, ptr %14, align 8
  %77 = getelementptr inbounds i64, ptr %13, i64 %76
  %78 = load i64, ptr %77, align 8
  %79 = getelementptr inbounds ptr, ptr %15, i64 %76
  %80 = load ptr, ptr %79, align 8
  %81 = mul i64 %78, %67
  %82 = getelementptr inbounds i8, ptr %80, i64 %81
  %83 = mul i64 %78, %8
  br i1 %46, label %85, label %726

84:
  br label %196

85:
  %86 = phi i64 [ %197, %196 ], [ 0, %75 ]
  %87 = phi i64 [ %198, %196 ], [ 0, %75 ]
  %88 = icmp sge i64 %86, %10
  %89 = load i64, ptr %48, align 8
  %90 = icmp eq i64 %83, %89
  %91 = select i1 %88, i1 %90, i1 false
  br i1 %91, label %92, label %95

92:
  %93 = add i64 %87, 32
  %94 = icmp sgt i64 %93, %6
  br i1 %94, label %95, label %200

95:
  %96 = mul i64 %87, %83
  %97 = getelementptr inbounds i8, ptr %82, i64 %96
  %98 = load i64, ptr %51, align 8
  %99 = getelementptr inbounds i8, ptr %97, i64 %98
  switch i64 %89, label %108 [
    i64 4, label %100
    i64 8, label %103
    i64 2, label %105
  ]

100:
  %101 = load i32, ptr %99, align 4
  %102 = zext i32 %101 to i64
  br label %111

103:
  %104 = load i64, ptr %99, align 8
  br label %111

105:
  %106 = load i16, ptr %99, align 2
  %107 = zext i16 %106 to i64
  br label %111

108:
  %109 = load i8, ptr %99, align 1
  %110 = zext i8 %109 to i64
  br label %111

111:
  %112 = phi i64 [ %102, %100 ], [ %104, %103 ], [ %107, %105 ], [ %110, %108 ]
  %113 = shl i64 %89, 3
  %114 = add i64 %113, -1
  %115 = shl nuw i64 1, %114
  %116 = load i64, ptr %49, align 8
  switch i64 %116, label %124 [
    i64 1, label %117
    i64 0, label %121
  ]

117:
  %118 = icmp eq i64 %89, 8
  %119 = select i1 %118, i64 -9223372036854775808, i64 0
  %120 = xor i64 %112, %119
  br label %164

121:
  %122 = xor i64 %112, %115
  %123 = sub i64 %122, %115
  br label %164

124:
  %125 = xor i64 %115, -1
  %126 = and i64 %112, %125
  %127 = load i64, ptr %50, align 8
  %128 = icmp sgt i64 %126, %127
  %129 = and i64 %112, %115
  %130 = icmp eq i64 %129, 0
  %131 = sub i64 0, %126
  %132 = select i1 %130, i64 %126, i64 %131
  %133 = select i1 %128, i64 9223372036854775807, i64 %132
  %134 = icmp eq i64 %116, 2
  %135 = icmp eq i64 %133, 9223372036854775807
  %136 = zext i1 %135 to i64
  %137 = select i1 %134, i64 %133, i64 %136
  %138 = icmp eq i64 %116, 3
  br i1 %138, label %139, label %164

139:
  %140 = getelementptr inbounds i8, ptr %99, i64 %89
  switch i64 %89, label %149 [
    i64 4, label %141
    i64 8, label %144
    i64 2, label %146
  ]

141:
  %142 = load i32, ptr %140, align 4
  %143 = zext i32 %142 to i64
  br label %152

144:
  %145 = load i64, ptr %140, align 8
  br label %152

146:
  %147 = load i16, ptr %140, align 2
  %148 = zext i16 %147 to i64
  br label %152

149:
  %150 = load i8, ptr %140, align 1
  %151 = zext i8 %150 to i64
  br label %152

152:
  %153 = phi i64 [ %143, %141 ], [ %145, %144 ], [ %148, %146 ], [ %151, %149 ]
  %154 = and i64 %153, %125
  %155 = icmp sgt i64 %154, %127
  %156 = and i64 %153, %115
  %157 = icmp eq i64 %156, 0
  %158 = sub i64 0, %154
  %159 = select i1 %157, i64 %154, i64 %158
  %160 = icmp eq i64 %159, 9223372036854775807
  %161 = select i1 %155, i1 true, i1 %160
  %162 = or i1 %135, %161
  %163 = zext i1 %162 to i64
  br label %164

164:
  %165 = phi i64 [ %163, %152 ], [ %137, %124 ], [ %123, %121 ], [ %120, %117 ]
  %166 = xor i64 %165, -1
  %167 = icmp eq i64 %86, %10
  br i1 %167, label %168, label %171

168:
  %169 = load i64, ptr %60, align 8
  %170 = icmp sgt i64 %169, %166
  br i1 %170, label %171, label %193

171:
  %172 = xor i1 %88, true
  %173 = zext i1 %172 to i64
  %174 = add nsw i64 %86, %173
  %175 = select i1 %88, i64 %54, i64 %86
  %176 = icmp sgt i64 %175, 0
  br i1 %176, label %177, label %189

177:
  %178 = phi i64 [ %179, %183 ], [ %175, %171 ]
  %179 = add nsw i64 %178, -1
  %180 = getelementptr inbounds nuw i64, ptr %29, i64 %179
  %181 = load i64, ptr %180, align 8
  %182 = icmp sgt i64 %181, %166
  br i1 %182, label %183, label %189

183:
  %184 = getelementptr inbounds nuw i64, ptr %29, i64 %178
  store i64 %181, ptr %184, align 8
  %185 = getelementptr inbounds nuw i64, ptr %38, i64 %179
  %186 = load i64, ptr %185, align 8
  %187 = getelementptr inbounds nuw i64, ptr %38, i64 %178
  store i64 %186, ptr %187, align 8
  %188 = icmp samesign ugt i64 %178, 1
  br i1 %188, label %177, label %189

189:
  %190 = phi i64 [ %175, %171 ], [ 0, %183 ], [ %178, %177 ]
  %191 = getelementptr inbounds i64, ptr %29, i64 %190
  store i64 %166, ptr %191, align 8
  %192 = getelementptr inbounds i64, ptr %38, i64 %190
  store i64 %87, ptr %192, align 8
  br label %193

193:
  %194 = phi i64 [ %174, %189 ], [ %10, %168 ]
  %195 = add nsw i64 %87, 1
  br label %196

196:
  %197 = phi i64 [ %194, %193 ], [ %86, %326 ], [ %436, %84 ]
  %198 = phi i64 [ %195, %193 ], [ %93, %326 ], [ %93, %84 ]
  %199 = icmp slt i64 %198, %6
  br i1 %199, label %85, label %726

200:
  %201 = mul i64 %87, %83
  %202 = getelementptr inbounds i8, ptr %82, i64 %201
  %203 = load i64, ptr %53, align 8
  %204 = mul i64 %203, %83
  %205 = getelementptr inbounds i8, ptr %82, i64 %204
  %206 = load i64, ptr %49, align 8
  switch i64 %83, label %296 [
    i64 4, label %207
    i64 8, label %237
    i64 2, label %266
  ]

207:
  %208 = load i32, ptr %205, align 4
  %209 = load <32 x i32>, ptr %202, align 4
  switch i64 %206, label %233 [
    i64 2, label %210
    i64 1, label %227
  ]

210:
  %211 = icmp slt i32 %208, 0
  %212 = select i1 %211, i32 2147483647, i32 0
  %213 = xor i32 %212, %208
  %214 = icmp slt <32 x i32> %209, zeroinitializer
  %215 = select <32 x i1> %214, <32 x i32> splat (i32 2147483647), <32 x i32> zeroinitializer
  %216 = xor <32 x i32> %215, %209
  %217 = insertelement <32 x i32> poison, i32 %213, i64 0
  %218 = shufflevector <32 x i32> %217, <32 x i32> poison, <32 x i32> zeroinitializer
  %219 = icmp sgt <32 x i32> %216, %218
  %220 = and <32 x i32> %209, splat (i32 2147483647)
  %221 = load i64, ptr %50, align 8
  %222 = trunc i64 %221 to i32
  %223 = insertelement <32 x i32> poison, i32 %222, i64 0
  %224 = shufflevector <32 x i32> %223, <32 x i32> poison, <32 x i32> zeroinitializer
  %225 = icmp sgt <32 x i32> %220, %224
  %226 = or <32 x i1> %219, %225
  br label %326

227:
  %228 = xor <32 x i32> %209, splat (i32 -2147483648)
  %229 = xor i32 %208, -2147483648
  %230 = insertelement <32 x i32> poison, i32 %229, i64 0
  %231 = shufflevector <32 x i32> %230, <32 x i32> poison, <32 x i32> zeroinitializer
  %232 = icmp sgt <32 x i32> %228, %231
  br label %326

233:
  %234 = insertelement <32 x i32> poison, i32 %208, i64 0
  %235 = shufflevector <32 x i32> %234, <32 x i32> poison, <32 x i32> zeroinitializer
  %236 = icmp sgt <32 x i32> %209, %235
  br label %326

237:
  %238 = load i64, ptr %205, align 8
  %239 = load <32 x i64>, ptr %202, align 8
  switch i64 %206, label %262 [
    i64 2, label %240
    i64 1, label %256
  ]

240:
  %241 = icmp slt i64 %238, 0
  %242 = select i1 %241, i64 9223372036854775807, i64 0
  %243 = xor i64 %242, %238
  %244 = icmp slt <32 x i64> %239, zeroinitializer
  %245 = select <32 x i1> %244, <32 x i64> splat (i64 9223372036854775807), <32 x i64> zeroinitializer
  %246 = xor <32 x i64> %245, %239
  %247 = insertelement <32 x i64> poison, i64 %243, i64 0
  %248 = shufflevector <32 x i64> %247, <32 x i64> poison, <32 x i32> zeroinitializer
  %249 = icmp sgt <32 x i64> %246, %248
  %250 = and <32 x i64> %239, splat (i64 9223372036854775807)
  %251 = load i64, ptr %50, align 8
  %252 = insertelement <32 x i64> poison, i64 %251, i64 0
  %253 = shufflevector <32 x i64> %252, <32 x i64> poison, <32 x i32> zeroinitializer
  %254 = icmp sgt <32 x i64> %250, %253
  %255 = or <32 x i1> %249, %254
  br label %326

256:
  %257 = xor <32 x i64> %239, splat (i64 -9223372036854775808)
  %258 = xor i64 %238, -9223372036854775808
  %259 = insertelement <32 x i64> poison, i64 %258, i64 0
  %260 = shufflevector <32 x i64> %259, <32 x i64> poison, <32 x i32> zeroinitializer
  %261 = icmp sgt <32 x i64> %257, %260
  br label %326

262:
  %263 = insertelement <32 x i64> poison, i64 %238, i64 0
  %264 = shufflevector <32 x i64> %263, <32 x i64> poison, <32 x i32> zeroinitializer
  %265 = icmp sgt <32 x i64> %239, %264
  br label %326

266:
  %267 = load i16, ptr %205, align 2
  %268 = load <32 x i16>, ptr %202, align 2
  switch i64 %206, label %292 [
    i64 2, label %269
    i64 1, label %286
  ]

269:
  %270 = icmp slt i16 %267, 0
  %271 = select i1 %270, i16 32767, i16 0
  %272 = xor i16 %271, %267
  %273 = icmp slt <32 x i16> %268, zeroinitializer
  %274 = select <32 x i1> %273, <32 x i16> splat (i16 32767), <32 x i16> zeroinitializer
  %275 = xor <32 x i16> %274, %268
  %276 = insertelement <32 x i16> poison, i16 %272, i64 0
  %277 = shufflevector <32 x i16> %276, <32 x i16> poison, <32 x i32> zeroinitializer
  %278 = icmp sgt <32 x i16> %275, %277
  %279 = and <32 x i16> %268, splat (i16 32767)
  %280 = load i64, ptr %50, align 8
  %281 = trunc i64 %280 to i16
  %282 = insertelement <32 x i16> poison, i16 %281, i64 0
  %283 = shufflevector <32 x i16> %282, <32 x i16> poison, <32 x i32> zeroinitializer
  %284 = icmp sgt <32 x i16> %279, %283
  %285 = or <32 x i1> %278, %284
  br label %326

286:
  %287 = xor <32 x i16> %268, splat (i16 -32768)
  %288 = xor i16 %267, -32768
  %289 = insertelement <32 x i16> poison, i16 %288, i64 0
  %290 = shufflevector <32 x i16> %289, <32 x i16> poison, <32 x i32> zeroinitializer
  %291 = icmp sgt <32 x i16> %287, %290
  br label %326

292:
  %293 = insertelement <32 x i16> poison, i16 %267, i64 0
  %294 = shufflevector <32 x i16> %293, <32 x i16> poison, <32 x i32> zeroinitializer
  %295 = icmp sgt <32 x i16> %268, %294
  br label %326

296:
  %297 = load i8, ptr %205, align 1
  %298 = load <32 x i8>, ptr %202, align 1
  switch i64 %206, label %322 [
    i64 2, label %299
    i64 1, label %316
  ]

299:
  %300 = icmp slt i8 %297, 0
  %301 = select i1 %300, i8 127, i8 0
  %302 = xor i8 %301, %297
  %303 = icmp slt <32 x i8> %298, zeroinitializer
  %304 = select <32 x i1> %303, <32 x i8> splat (i8 127), <32 x i8> zeroinitializer
  %305 = xor <32 x i8> %304, %298
  %306 = insertelement <32 x i8> poison, i8 %302, i64 0
  %307 = shufflevector <32 x i8> %306, <32 x i8> poison, <32 x i32> zeroinitializer
  %308 = icmp sgt <32 x i8> %305, %307
  %309 = and <32 x i8> %298, splat (i8 127)
  %310 = load i64, ptr %50, align 8
  %311 = trunc i64 %310 to i8
  %312 = insertelement <32 x i8> poison, i8 %311, i64 0
  %313 = shufflevector <32 x i8> %312, <32 x i8> poison, <32 x i32> zeroinitializer
  %314 = icmp sgt <32 x i8> %309, %313
  %315 = or <32 x i1> %308, %314
  br label %326

316:
  %317 = xor <32 x i8> %298, splat (i8 -128)
  %318 = xor i8 %297, -128
  %319 = insertelement <32 x i8> poison, i8 %318, i64 0
  %320 = shufflevector <32 x i8> %319, <32 x i8> poison, <32 x i32> zeroinitializer
  %321 = icmp sgt <32 x i8> %317, %320
  br label %326

322:
  %323 = insertelement <32 x i8> poison, i8 %297, i64 0
  %324 = shufflevector <32 x i8> %323, <32 x i8> poison, <32 x i32> zeroinitializer
  %325 = icmp sgt <32 x i8> %298, %324
  br label %326

326:
  %327 = phi <32 x i1> [ %295, %292 ], [ %236, %233 ], [ %265, %262 ], [ %226, %210 ], [ %232, %227 ], [ %255, %240 ], [ %261, %256 ], [ %285, %269 ], [ %291, %286 ], [ %315, %299 ], [ %321, %316 ], [ %325, %322 ]
  %328 = bitcast <32 x i1> %327 to i32
  %329 = icmp eq i32 %328, 0
  br i1 %329, label %196, label %330

330:
  br label %331

331:
  %332 = phi i64 [ %86, %330 ], [ %436, %435 ]
  %333 = phi i32 [ %328, %330 ], [ %438, %435 ]
  %334 = tail call i32 @llvm.cttz.i32(i32 %333, i1 true)
  %335 = zext nneg i32 %334 to i64
  %336 = add i64 %87, %335
  %337 = mul i64 %336, %83
  %338 = getelementptr inbounds i8, ptr %82, i64 %337
  %339 = load i64, ptr %51, align 8
  %340 = getelementptr inbounds i8, ptr %338, i64 %339
  %341 = load i64, ptr %48, align 8
  switch i64 %341, label %350 [
    i64 4, label %342
    i64 8, label %345
    i64 2, label %347
  ]

342:
  %343 = load i32, ptr %340, align 4
  %344 = zext i32 %343 to i64
  br label %353

345:
  %346 = load i64, ptr %340, align 8
  br label %353

347:
  %348 = load i16, ptr %340, align 2
  %349 = zext i16 %348 to i64
  br label %353

350:
  %351 = load i8, ptr %340, align 1
  %352 = zext i8 %351 to i64
  br label %353

353:
  %354 = phi i64 [ %344, %342 ], [ %346, %345 ], [ %349, %347 ], [ %352, %350 ]
  %355 = shl i64 %341, 3
  %356 = add i64 %355, -1
  %357 = shl nuw i64 1, %356
  %358 = load i64, ptr %49, align 8
  switch i64 %358, label %366 [
    i64 1, label %359
    i64 0, label %363
  ]

359:
  %360 = icmp eq i64 %341, 8
  %361 = select i1 %360, i64 -9223372036854775808, i64 0
  %362 = xor i64 %354, %361
  br label %406

363:
  %364 = xor i64 %354, %357
  %365 = sub i64 %364, %357
  br label %406

366:
  %367 = xor i64 %357, -1
  %368 = and i64 %354, %367
  %369 = load i64, ptr %50, align 8
  %370 = icmp sgt i64 %368, %369
  %371 = and i64 %354, %357
  %372 = icmp eq i64 %371, 0
  %373 = sub i64 0, %368
  %374 = select i1 %372, i64 %368, i64 %373
  %375 = select i1 %370, i64 9223372036854775807, i64 %374
  %376 = icmp eq i64 %358, 2
  %377 = icmp eq i64 %375, 9223372036854775807
  %378 = zext i1 %377 to i64
  %379 = select i1 %376, i64 %375, i64 %378
  %380 = icmp eq i64 %358, 3
  br i1 %380, label %381, label %406

381:
  %382 = getelementptr inbounds i8, ptr %340, i64 %341
  switch i64 %341, label %391 [
    i64 4, label %383
    i64 8, label %386
    i64 2, label %388
  ]

383:
  %384 = load i32, ptr %382, align 4
  %385 = zext i32 %384 to i64
  br label %394

386:
  %387 = load i64, ptr %382, align 8
  br label %394

388:
  %389 = load i16, ptr %382, align 2
  %390 = zext i16 %389 to i64
  br label %394

391:
  %392 = load i8, ptr %382, align 1
  %393 = zext i8 %392 to i64
  br label %394

394:
  %395 = phi i64 [ %385, %383 ], [ %387, %386 ], [ %390, %388 ], [ %393, %391 ]
  %396 = and i64 %395, %367
  %397 = icmp sgt i64 %396, %369
  %398 = and i64 %395, %357
  %399 = icmp eq i64 %398, 0
  %400 = sub i64 0, %396
  %401 = select i1 %399, i64 %396, i64 %400
  %402 = icmp eq i64 %401, 9223372036854775807
  %403 = select i1 %397, i1 true, i1 %402
  %404 = or i1 %377, %403
  %405 = zext i1 %404 to i64
  br label %406

406:
  %407 = phi i64 [ %405, %394 ], [ %379, %366 ], [ %365, %363 ], [ %362, %359 ]
  %408 = xor i64 %407, -1
  %409 = icmp eq i64 %332, %10
  br i1 %409, label %410, label %413

410:
  %411 = load i64, ptr %58, align 8
  %412 = icmp sgt i64 %411, %408
  br i1 %412, label %413, label %435

413:
  %414 = icmp slt i64 %332, %10
  %415 = zext i1 %414 to i64
  %416 = add nsw i64 %332, %415
  %417 = select i1 %414, i64 %332, i64 %54
  %418 = icmp sgt i64 %417, 0
  br i1 %418, label %419, label %431

419:
  %420 = phi i64 [ %421, %425 ], [ %417, %413 ]
  %421 = add nsw i64 %420, -1
  %422 = getelementptr inbounds nuw i64, ptr %29, i64 %421
  %423 = load i64, ptr %422, align 8
  %424 = icmp sgt i64 %423, %408
  br i1 %424, label %425, label %431

425:
  %426 = getelementptr inbounds nuw i64, ptr %29, i64 %420
  store i64 %423, ptr %426, align 8
  %427 = getelementptr inbounds nuw i64, ptr %38, i64 %421
  %428 = load i64, ptr %427, align 8
  %429 = getelementptr inbounds nuw i64, ptr %38, i64 %420
  store i64 %428, ptr %429, align 8
  %430 = icmp samesign ugt i64 %420, 1
  br i1 %430, label %419, label %431

431:
  %432 = phi i64 [ %417, %413 ], [ 0, %425 ], [ %420, %419 ]
  %433 = getelementptr inbounds i64, ptr %29, i64 %432
  store i64 %408, ptr %433, align 8
  %434 = getelementptr inbounds i64, ptr %38, i64 %432
  store i64 %336, ptr %434, align 8
  br label %435

435:
  %436 = phi i64 [ %416, %431 ], [ %10, %410 ]
  %437 = add i32 %333, -1
  %438 = and i32 %437, %333
  %439 = icmp eq i32 %438, 0
  br i1 %439, label %84, label %331

440:
  %441 = load i64, ptr %43, align 8
  br label %442

442:
  %443 = phi i64 [ %441, %440 ], [ %70, %74 ]
  %444 = icmp slt i64 %443, 1
  br i1 %444, label %726, label %445

445:
  %446 = mul nuw nsw i64 %443, 40
  %447 = getelementptr inbounds nuw i8, ptr %14, i64 %446
  %448 = getelementptr inbounds i8, ptr %447, i64 -40
  br label %454

449:
  %450 = phi i64 [ %452, %449 ], [ 0, %74 ]
  %451 = getelementptr inbounds nuw i64, ptr %38, i64 %450
  store i64 %450, ptr %451, align 8
  %452 = add nuw nsw i64 %450, 1
  %453 = icmp eq i64 %452, %6
  br i1 %453, label %440, label %449

454:
  %455 = phi ptr [ %645, %643 ], [ %448, %445 ]
  %456 = phi ptr [ %455, %643 ], [ %447, %445 ]
  %457 = phi ptr [ %644, %643 ], [ %38, %445 ]
  %458 = load i64, ptr %455, align 8
  %459 = getelementptr inbounds i64, ptr %13, i64 %458
  %460 = load i64, ptr %459, align 8
  %461 = getelementptr inbounds ptr, ptr %15, i64 %458
  %462 = load ptr, ptr %461, align 8
  %463 = mul i64 %460, %67
  %464 = getelementptr inbounds i8, ptr %462, i64 %463
  br i1 %46, label %468, label %465

465:
  %466 = icmp eq ptr %457, %38
  %467 = select i1 %466, ptr %42, ptr %38
  br label %643

468:
  %469 = mul i64 %460, %8
  %470 = getelementptr inbounds i8, ptr %456, i64 -16
  %471 = getelementptr inbounds i8, ptr %456, i64 -24
  %472 = getelementptr inbounds i8, ptr %456, i64 -32
  %473 = getelementptr inbounds i8, ptr %456, i64 -8
  br label %647

474:
  %475 = icmp eq ptr %457, %38
  %476 = select i1 %475, ptr %42, ptr %38
  br label %478

477:
  br i1 %47, label %566, label %643

478:
  %479 = phi i64 [ %564, %563 ], [ 0, %474 ]
  %480 = getelementptr inbounds nuw i64, ptr %29, i64 %479
  %481 = getelementptr inbounds nuw i64, ptr %457, i64 %479
  %482 = sub nsw i64 %6, %479
  %483 = tail call i64 @llvm.smin.i64(i64 %482, i64 32)
  %484 = getelementptr inbounds nuw i64, ptr %40, i64 %479
  %485 = getelementptr inbounds nuw i64, ptr %476, i64 %479
  %486 = icmp sgt i64 %482, 0
  br i1 %486, label %487, label %563

487:
  %488 = phi i64 [ %552, %551 ], [ 8, %478 ]
  %489 = phi i64 [ %493, %551 ], [ 0, %478 ]
  %490 = tail call i64 @llvm.smin.i64(i64 %483, i64 %488)
  %491 = getelementptr inbounds nuw i64, ptr %480, i64 %489
  %492 = load <8 x i64>, ptr %491, align 64
  %493 = add nuw nsw i64 %489, 8
  %494 = tail call i64 @llvm.smin.i64(i64 %493, i64 %483)
  %495 = icmp eq i64 %489, 0
  br i1 %495, label %496, label %499

496:
  %497 = phi <8 x i64> [ zeroinitializer, %487 ], [ %508, %499 ]
  %498 = icmp sgt i64 %483, %489
  br i1 %498, label %514, label %511

499:
  %500 = phi <8 x i64> [ %508, %499 ], [ zeroinitializer, %487 ]
  %501 = phi i64 [ %509, %499 ], [ 0, %487 ]
  %502 = getelementptr inbounds nuw i64, ptr %480, i64 %501
  %503 = load i64, ptr %502, align 8
  %504 = insertelement <8 x i64> poison, i64 %503, i64 0
  %505 = shufflevector <8 x i64> %504, <8 x i64> poison, <8 x i32> zeroinitializer
  %506 = icmp sle <8 x i64> %505, %492
  %507 = zext <8 x i1> %506 to <8 x i64>
  %508 = add <8 x i64> %500, %507
  %509 = add nuw nsw i64 %501, 1
  %510 = icmp eq i64 %509, %489
  br i1 %510, label %496, label %499

511:
  %512 = phi <8 x i64> [ %497, %496 ], [ %530, %514 ]
  %513 = icmp slt i64 %493, %483
  br i1 %513, label %535, label %533

514:
  %515 = phi <8 x i64> [ %530, %514 ], [ %497, %496 ]
  %516 = phi i64 [ %531, %514 ], [ %489, %496 ]
  %517 = getelementptr inbounds nuw i64, ptr %480, i64 %516
  %518 = load i64, ptr %517, align 8
  %519 = insertelement <8 x i64> poison, i64 %518, i64 0
  %520 = shufflevector <8 x i64> %519, <8 x i64> poison, <8 x i32> zeroinitializer
  %521 = icmp slt <8 x i64> %520, %492
  %522 = icmp eq <8 x i64> %520, %492
  %523 = sub nuw nsw i64 %516, %489
  %524 = insertelement <8 x i64> poison, i64 %523, i64 0
  %525 = shufflevector <8 x i64> %524, <8 x i64> poison, <8 x i32> zeroinitializer
  %526 = icmp samesign ult <8 x i64> %525, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7>
  %527 = and <8 x i1> %526, %522
  %528 = or <8 x i1> %521, %527
  %529 = zext <8 x i1> %528 to <8 x i64>
  %530 = add <8 x i64> %515, %529
  %531 = add nuw nsw i64 %516, 1
  %532 = icmp eq i64 %531, %490
  br i1 %532, label %511, label %514

533:
  %534 = phi <8 x i64> [ %512, %511 ], [ %544, %535 ]
  br label %547

535:
  %536 = phi i64 [ %545, %535 ], [ %494, %511 ]
  %537 = phi <8 x i64> [ %544, %535 ], [ %512, %511 ]
  %538 = getelementptr inbounds nuw i64, ptr %480, i64 %536
  %539 = load i64, ptr %538, align 8
  %540 = insertelement <8 x i64> poison, i64 %539, i64 0
  %541 = shufflevector <8 x i64> %540, <8 x i64> poison, <8 x i32> zeroinitializer
  %542 = icmp slt <8 x i64> %541, %492
  %543 = zext <8 x i1> %542 to <8 x i64>
  %544 = add <8 x i64> %537, %543
  %545 = add nuw nsw i64 %536, 1
  %546 = icmp slt i64 %545, %483
  br i1 %546, label %535, label %533

547:
  %548 = phi i64 [ 0, %533 ], [ %561, %553 ]
  %549 = or disjoint i64 %548, %489
  %550 = icmp slt i64 %549, %483
  br i1 %550, label %553, label %551

551:
  %552 = add nuw nsw i64 %488, 8
  br i1 %513, label %487, label %563

553:
  %554 = getelementptr inbounds nuw i64, ptr %480, i64 %549
  %555 = load i64, ptr %554, align 8
  %556 = extractelement <8 x i64> %534, i64 %548
  %557 = getelementptr inbounds i64, ptr %484, i64 %556
  store i64 %555, ptr %557, align 8
  %558 = getelementptr inbounds nuw i64, ptr %481, i64 %549
  %559 = load i64, ptr %558, align 8
  %560 = getelementptr inbounds i64, ptr %485, i64 %556
  store i64 %559, ptr %560, align 8
  %561 = add nuw nsw i64 %548, 1
  %562 = icmp eq i64 %561, 8
  br i1 %562, label %551, label %547

563:
  %564 = add nuw nsw i64 %479, 32
  %565 = icmp slt i64 %564, %6
  br i1 %565, label %478, label %477

566:
  %567 = phi ptr [ %570, %573 ], [ %29, %477 ]
  %568 = phi ptr [ %571, %573 ], [ %457, %477 ]
  %569 = phi i64 [ %572, %573 ], [ 32, %477 ]
  %570 = phi ptr [ %567, %573 ], [ %40, %477 ]
  %571 = phi ptr [ %568, %573 ], [ %476, %477 ]
  %572 = shl i64 %569, 1
  br label %575

573:
  %574 = icmp slt i64 %572, %6
  br i1 %574, label %566, label %643

575:
  %576 = phi i64 [ 0, %566 ], [ %579, %641 ]
  %577 = add i64 %576, %569
  %578 = tail call i64 @llvm.smin.i64(i64 %577, i64 %6)
  %579 = add i64 %576, %572
  %580 = tail call i64 @llvm.smin.i64(i64 %579, i64 %6)
  %581 = icmp sgt i64 %577, %576
  %582 = icmp slt i64 %577, %580
  %583 = and i1 %581, %582
  br i1 %583, label %589, label %584

584:
  %585 = phi i64 [ %576, %575 ], [ %605, %589 ]
  %586 = phi i64 [ %578, %575 ], [ %607, %589 ]
  %587 = phi i64 [ %576, %575 ], [ %610, %589 ]
  %588 = icmp slt i64 %587, %578
  br i1 %588, label %617, label %614

589:
  %590 = phi i64 [ %610, %589 ], [ %576, %575 ]
  %591 = phi i64 [ %607, %589 ], [ %578, %575 ]
  %592 = phi i64 [ %605, %589 ], [ %576, %575 ]
  %593 = getelementptr inbounds i64, ptr %570, i64 %591
  %594 = load i64, ptr %593, align 8
  %595 = getelementptr inbounds i64, ptr %570, i64 %590
  %596 = load i64, ptr %595, align 8
  %597 = icmp slt i64 %594, %596
  %598 = zext i1 %597 to i64
  %599 = select i1 %597, i64 %591, i64 %590
  %600 = getelementptr inbounds i64, ptr %570, i64 %599
  %601 = load i64, ptr %600, align 8
  %602 = getelementptr inbounds i64, ptr %567, i64 %592
  store i64 %601, ptr %602, align 8
  %603 = getelementptr inbounds i64, ptr %571, i64 %599
  %604 = load i64, ptr %603, align 8
  %605 = add i64 %592, 1
  %606 = getelementptr inbounds i64, ptr %568, i64 %592
  store i64 %604, ptr %606, align 8
  %607 = add nsw i64 %591, %598
  %608 = xor i1 %597, true
  %609 = zext i1 %608 to i64
  %610 = add nsw i64 %590, %609
  %611 = icmp slt i64 %610, %578
  %612 = icmp slt i64 %607, %580
  %613 = select i1 %611, i1 %612, i1 false
  br i1 %613, label %589, label %584

614:
  %615 = phi i64 [ %585, %584 ], [ %627, %617 ]
  %616 = icmp slt i64 %586, %580
  br i1 %616, label %629, label %641

617:
  %618 = phi i64 [ %626, %617 ], [ %587, %584 ]
  %619 = phi i64 [ %627, %617 ], [ %585, %584 ]
  %620 = getelementptr inbounds i64, ptr %570, i64 %618
  %621 = load i64, ptr %620, align 8
  %622 = getelementptr inbounds i64, ptr %567, i64 %619
  store i64 %621, ptr %622, align 8
  %623 = getelementptr inbounds i64, ptr %571, i64 %618
  %624 = load i64, ptr %623, align 8
  %625 = getelementptr inbounds i64, ptr %568, i64 %619
  store i64 %624, ptr %625, align 8
  %626 = add nsw i64 %618, 1
  %627 = add i64 %619, 1
  %628 = icmp eq i64 %626, %578
  br i1 %628, label %614, label %617

629:
  %630 = phi i64 [ %638, %629 ], [ %586, %614 ]
  %631 = phi i64 [ %639, %629 ], [ %615, %614 ]
  %632 = getelementptr inbounds i64, ptr %570, i64 %630
  %633 = load i64, ptr %632, align 8
  %634 = getelementptr inbounds i64, ptr %567, i64 %631
  store i64 %633, ptr %634, align 8
  %635 = getelementptr inbounds i64, ptr %571, i64 %630
  %636 = load i64, ptr %635, align 8
  %637 = getelementptr inbounds i64, ptr %568, i64 %631
  store i64 %636, ptr %637, align 8
  %638 = add nsw i64 %630, 1
  %639 = add i64 %631, 1
  %640 = icmp eq i64 %638, %580
  br i1 %640, label %641, label %629

641:
  %642 = icmp slt i64 %579, %6
  br i1 %642, label %575, label %573

643:
  %644 = phi ptr [ %476, %477 ], [ %467, %465 ], [ %568, %573 ]
  %645 = getelementptr inbounds i8, ptr %455, i64 -40
  %646 = icmp ult ptr %645, %14
  br i1 %646, label %726, label %454

647:
  %648 = phi i64 [ 0, %468 ], [ %724, %720 ]
  %649 = getelementptr inbounds nuw i64, ptr %457, i64 %648
  %650 = load i64, ptr %649, align 8
  %651 = mul i64 %469, %650
  %652 = getelementptr inbounds i8, ptr %464, i64 %651
  %653 = load i64, ptr %470, align 8
  %654 = getelementptr inbounds i8, ptr %652, i64 %653
  %655 = load i64, ptr %471, align 8
  switch i64 %655, label %664 [
    i64 4, label %656
    i64 8, label %659
    i64 2, label %661
  ]

656:
  %657 = load i32, ptr %654, align 4
  %658 = zext i32 %657 to i64
  br label %667

659:
  %660 = load i64, ptr %654, align 8
  br label %667

661:
  %662 = load i16, ptr %654, align 2
  %663 = zext i16 %662 to i64
  br label %667

664:
  %665 = load i8, ptr %654, align 1
  %666 = zext i8 %665 to i64
  br label %667

667:
  %668 = phi i64 [ %658, %656 ], [ %660, %659 ], [ %663, %661 ], [ %666, %664 ]
  %669 = shl i64 %655, 3
  %670 = add i64 %669, -1
  %671 = shl nuw i64 1, %670
  %672 = load i64, ptr %472, align 8
  switch i64 %672, label %680 [
    i64 1, label %673
    i64 0, label %677
  ]

673:
  %674 = icmp eq i64 %655, 8
  %675 = select i1 %674, i64 -9223372036854775808, i64 0
  %676 = xor i64 %668, %675
  br label %720

677:
  %678 = xor i64 %668, %671
  %679 = sub i64 %678, %671
  br label %720

680:
  %681 = xor i64 %671, -1
  %682 = and i64 %668, %681
  %683 = load i64, ptr %473, align 8
  %684 = icmp sgt i64 %682, %683
  %685 = and i64 %668, %671
  %686 = icmp eq i64 %685, 0
  %687 = sub i64 0, %682
  %688 = select i1 %686, i64 %682, i64 %687
  %689 = select i1 %684, i64 9223372036854775807, i64 %688
  %690 = icmp eq i64 %672, 2
  %691 = icmp eq i64 %689, 9223372036854775807
  %692 = zext i1 %691 to i64
  %693 = select i1 %690, i64 %689, i64 %692
  %694 = icmp eq i64 %672, 3
  br i1 %694, label %695, label %720

695:
  %696 = getelementptr inbounds i8, ptr %654, i64 %655
  switch i64 %655, label %705 [
    i64 4, label %697
    i64 8, label %700
    i64 2, label %702
  ]

697:
  %698 = load i32, ptr %696, align 4
  %699 = zext i32 %698 to i64
  br label %708

700:
  %701 = load i64, ptr %696, align 8
  br label %708

702:
  %703 = load i16, ptr %696, align 2
  %704 = zext i16 %703 to i64
  br label %708

705:
  %706 = load i8, ptr %696, align 1
  %707 = zext i8 %706 to i64
  br label %708

708:
  %709 = phi i64 [ %699, %697 ], [ %701, %700 ], [ %704, %702 ], [ %707, %705 ]
  %710 = and i64 %709, %681
  %711 = icmp sgt i64 %710, %683
  %712 = and i64 %709, %671
  %713 = icmp eq i64 %712, 0
  %714 = sub i64 0, %710
  %715 = select i1 %713, i64 %710, i64 %714
  %716 = icmp eq i64 %715, 9223372036854775807
  %717 = select i1 %711, i1 true, i1 %716
  %718 = or i1 %691, %717
  %719 = zext i1 %718 to i64
  br label %720

720:
  %721 = phi i64 [ %719, %708 ], [ %693, %680 ], [ %679, %677 ], [ %676, %673 ]
  %722 = xor i64 %721, %33
  %723 = getelementptr inbounds nuw i64, ptr %29, i64 %648
  store i64 %722, ptr %723, align 8
  %724 = add nuw nsw i64 %648, 1
  %725 = icmp eq i64 %724, %6
  br i1 %725, label %474, label %647

726:
  %727 = phi ptr [ %38, %196 ], [ %38, %75 ], [ %38, %442 ], [ %644, %643 ]
  br i1 %55, label %731, label %728

728:
  %729 = load i64, ptr %17, align 8
  %730 = icmp eq i64 %729, 0
  br i1 %730, label %831, label %809

731:
  %732 = phi i64 [ %807, %806 ], [ 0, %726 ]
  %733 = getelementptr inbounds nuw ptr, ptr %15, i64 %732
  %734 = load ptr, ptr %733, align 8
  %735 = getelementptr inbounds nuw i64, ptr %13, i64 %732
  %736 = load i64, ptr %735, align 8
  %737 = mul i64 %736, %67
  %738 = getelementptr inbounds i8, ptr %734, i64 %737
  %739 = getelementptr inbounds nuw ptr, ptr %16, i64 %732
  %740 = load ptr, ptr %739, align 8
  %741 = mul i64 %736, %69
  %742 = getelementptr inbounds i8, ptr %740, i64 %741
  %743 = tail call i64 @llvm.ctpop.i64(i64 %736)
  %744 = icmp eq i64 %743, 1
  br i1 %744, label %746, label %745

745:
  br i1 %56, label %796, label %806

746:
  %747 = tail call i64 @llvm.cttz.i64(i64 %736, i1 true)
  switch i64 %747, label %745 [
    i64 2, label %751
    i64 3, label %750
    i64 1, label %749
    i64 0, label %748
  ]

748:
  br i1 %56, label %785, label %806

749:
  br i1 %56, label %774, label %806

750:
  br i1 %56, label %763, label %806

751:
  br i1 %56, label %752, label %806

752:
  %753 = phi i64 [ %761, %752 ], [ 0, %751 ]
  %754 = getelementptr inbounds nuw i64, ptr %727, i64 %753
  %755 = load i64, ptr %754, align 8
  %756 = mul i64 %755, %8
  %757 = getelementptr inbounds i32, ptr %738, i64 %756
  %758 = load i32, ptr %757, align 4
  %759 = mul i64 %753, %8
  %760 = getelementptr inbounds i32, ptr %742, i64 %759
  store i32 %758, ptr %760, align 4
  %761 = add nuw nsw i64 %753, 1
  %762 = icmp eq i64 %761, %10
  br i1 %762, label %806, label %752

763:
  %764 = phi i64 [ %772, %763 ], [ 0, %750 ]
  %765 = getelementptr inbounds nuw i64, ptr %727, i64 %764
  %766 = load i64, ptr %765, align 8
  %767 = mul i64 %766, %8
  %768 = getelementptr inbounds i64, ptr %738, i64 %767
  %769 = load i64, ptr %768, align 8
  %770 = mul i64 %764, %8
  %771 = getelementptr inbounds i64, ptr %742, i64 %770
  store i64 %769, ptr %771, align 8
  %772 = add nuw nsw i64 %764, 1
  %773 = icmp eq i64 %772, %10
  br i1 %773, label %806, label %763

774:
  %775 = phi i64 [ %783, %774 ], [ 0, %749 ]
  %776 = getelementptr inbounds nuw i64, ptr %727, i64 %775
  %777 = load i64, ptr %776, align 8
  %778 = mul i64 %777, %8
  %779 = getelementptr inbounds i16, ptr %738, i64 %778
  %780 = load i16, ptr %779, align 2
  %781 = mul i64 %775, %8
  %782 = getelementptr inbounds i16, ptr %742, i64 %781
  store i16 %780, ptr %782, align 2
  %783 = add nuw nsw i64 %775, 1
  %784 = icmp eq i64 %783, %10
  br i1 %784, label %806, label %774

785:
  %786 = phi i64 [ %794, %785 ], [ 0, %748 ]
  %787 = getelementptr inbounds nuw i64, ptr %727, i64 %786
  %788 = load i64, ptr %787, align 8
  %789 = mul i64 %788, %8
  %790 = getelementptr inbounds i8, ptr %738, i64 %789
  %791 = load i8, ptr %790, align 1
  %792 = mul i64 %786, %8
  %793 = getelementptr inbounds i8, ptr %742, i64 %792
  store i8 %791, ptr %793, align 1
  %794 = add nuw nsw i64 %786, 1
  %795 = icmp eq i64 %794, %10
  br i1 %795, label %806, label %785

796:
  %797 = phi i64 [ %804, %796 ], [ 0, %745 ]
  %798 = mul i64 %797, %8
  %799 = getelementptr inbounds %struct.Pair, ptr %742, i64 %798
  %800 = getelementptr inbounds nuw i64, ptr %727, i64 %797
  %801 = load i64, ptr %800, align 8
  %802 = mul i64 %801, %8
  %803 = getelementptr inbounds %struct.Pair, ptr %738, i64 %802
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %799, ptr align 8 %803, i64 16, i1 false)
  %804 = add nuw nsw i64 %797, 1
  %805 = icmp eq i64 %804, %10
  br i1 %805, label %806, label %796

806:
  %807 = add nuw nsw i64 %732, 1
  %808 = icmp eq i64 %807, %12
  br i1 %808, label %728, label %731

809:
  %810 = load ptr, ptr %24, align 8
  %811 = mul i64 %729, %69
  %812 = getelementptr inbounds i8, ptr %810, i64 %811
  br i1 %56, label %813, label %831

813:
  %814 = mul i64 %729, %8
  br label %815

815:
  %816 = phi i64 [ 0, %813 ], [ %829, %828 ]
  %817 = mul i64 %814, %816
  %818 = getelementptr inbounds i8, ptr %812, i64 %817
  %819 = getelementptr inbounds nuw i64, ptr %727, i64 %816
  %820 = load i64, ptr %819, align 8
  switch i64 %729, label %826 [
    i64 4, label %821
    i64 8, label %823
    i64 2, label %824
  ]

821:
  %822 = trunc i64 %820 to i32
  store i32 %822, ptr %818, align 4
  br label %828

823:
  store i64 %820, ptr %818, align 8
  br label %828

824:
  %825 = trunc i64 %820 to i16
  store i16 %825, ptr %818, align 2
  br label %828

826:
  %827 = trunc i64 %820 to i8
  store i8 %827, ptr %818, align 1
  br label %828

828:
  %829 = add nuw nsw i64 %816, 1
  %830 = icmp eq i64 %829, %10
  br i1 %830, label %831, label %815

831:
  %832 = add nsw i64 %63, 1
  %833 = icmp eq i64 %832, %2
  br i1 %833, label %61, label %62
}

declare i32 @llvm.cttz.i32(i32, i1)

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

declare i64 @llvm.ctpop.i64(i64)

declare i64 @llvm.cttz.i64(i64, i1)

declare i64 @llvm.smin.i64(i64, i64)
